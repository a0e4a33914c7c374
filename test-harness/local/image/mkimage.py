"""Makes an OCI image archive out of folders, without a registry or a daemon.

One layer a --layer folder, in order. The same content gives the same bytes: entries are sorted, owned by root and
carry one fixed time, which the files of the operator's image need anyway (its AOT cache remembers the jars' times).
"""

import argparse
import hashlib
import io
import json
import os
import stat
import tarfile
import tempfile

MEDIA = "application/vnd.oci.image"
BLOB_CHUNK_BYTES = 1 << 20


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(arguments.out))) as work:
        layers = [make_layer(folder, os.path.join(work, str(i)), arguments.time)
                  for i, folder in enumerate(arguments.layer)]
        write_archive(arguments, layers)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="the archive to write")
    parser.add_argument("--name", required=True, help="the image's full name, as in docker.io/valkey/valkey:9.1.2")
    parser.add_argument("--layer", required=True, action="append", help="a folder; may be given several times")
    parser.add_argument("--time", required=True, type=int, help="the time of every file, in seconds since 1970")
    parser.add_argument("--env", default=[], action="append", help="NAME=VALUE")
    parser.add_argument("--user", default="", help="UID or UID:GID")
    parser.add_argument("--entrypoint", default=[], action="append", help="one word of it")
    return parser.parse_args()


def make_layer(folder, path, time):
    """Writes the folder as a tar file and returns (path, digest, bytes)."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(all_names(folder)):
            add(tar, folder, name, time)
    digest = hashlib.sha256()
    with open(path, "rb") as layer:
        while chunk := layer.read(BLOB_CHUNK_BYTES):
            digest.update(chunk)
    return path, "sha256:" + digest.hexdigest(), os.path.getsize(path)


def all_names(folder):
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            yield os.path.relpath(os.path.join(parent, name), folder)


def add(tar, folder, name, time):
    path = os.path.join(folder, name)
    info = tar.gettarinfo(path, arcname=name)
    if info is None or info.type not in (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE):
        raise SystemExit(f"mkimage: {path}: only files, folders and links can go into an image")
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = time
    info.mode = stat.S_IMODE(info.mode)
    if info.isreg():
        with open(path, "rb") as content:
            tar.addfile(info, content)
    else:
        tar.addfile(info)


def write_archive(arguments, layers):
    config = as_json({
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *arguments.env],
            "Entrypoint": arguments.entrypoint or None,
            "User": arguments.user,
        },
        "rootfs": {"type": "layers", "diff_ids": [digest for _, digest, _ in layers]},
    })
    manifest = as_json({
        "schemaVersion": 2,
        "mediaType": f"{MEDIA}.manifest.v1+json",
        "config": describe(f"{MEDIA}.config.v1+json", config),
        "layers": [{"mediaType": f"{MEDIA}.layer.v1.tar", "digest": digest, "size": size}
                   for _, digest, size in layers],
    })
    entry = describe(f"{MEDIA}.manifest.v1+json", manifest)
    entry["annotations"] = {
        "io.containerd.image.name": arguments.name,
        "org.opencontainers.image.ref.name": arguments.name.rsplit(":", 1)[-1],
    }
    index = as_json({"schemaVersion": 2, "mediaType": f"{MEDIA}.index.v1+json", "manifests": [entry]})

    with tarfile.open(arguments.out, "w") as archive:
        put(archive, "oci-layout", as_json({"imageLayoutVersion": "1.0.0"}))
        put(archive, "index.json", index)
        for blob in (config, manifest):
            put(archive, blob_name(digest_of(blob)), blob)
        for path, digest, _ in {layer[1]: layer for layer in layers}.values():
            archive.add(path, arcname=blob_name(digest))


def as_json(value):
    return json.dumps(value, sort_keys=True).encode()


def digest_of(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def blob_name(digest):
    return "blobs/" + digest.replace(":", "/")


def describe(media_type, data):
    return {"mediaType": media_type, "digest": digest_of(data), "size": len(data)}


def put(archive, name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


if __name__ == "__main__":
    main()
