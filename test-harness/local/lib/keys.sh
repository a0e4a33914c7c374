# shellcheck shell=bash
# Keys, tokens and kubeconfigs of an instance. They outlive 'down', so that a kubeconfig given to an IDE stays right.

# make_keys: the API server's certificate and its authority, the key for service accounts, one token for each user.
make_keys() {
    local user
    mkdir -p "$KEEP"
    chmod 700 "$KEEP"
    if [ ! -e "$KEEP/complete" ]; then
        make_certificates
        openssl ecparam -name prime256v1 -genkey -noout -out "$KEEP/service-accounts.key"
        {
            printf '%s,admin,admin,system:masters\n' "$(openssl rand -hex 16)"
            printf '%s,system:kube-controller-manager,controller-manager\n' "$(openssl rand -hex 16)"
            printf '%s,system:kube-scheduler,scheduler\n' "$(openssl rand -hex 16)"
            for user in "${ALL_NODES[@]}"; do
                printf '%s,system:node:%s,%s,system:nodes\n' "$(openssl rand -hex 16)" "$user" "$user"
            done
        } >"$KEEP/tokens.csv"
        touch "$KEEP/complete"
    fi
    for user in admin controller-manager scheduler "${ALL_NODES[@]}"; do write_kubeconfig "$user"; done
    mv "$KEEP/admin.kubeconfig" "$ADMIN_KUBECONFIG"
}

# The server is reached under many names: from outside and inside through the loopback, from pods as the Service.
make_certificates() {
    local names=DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc
    names+=,DNS:kubernetes.default.svc.cluster.local,IP:127.0.0.1,IP:$SERVICE_ADDRESS,IP:$DNS_ADDRESS
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=$ID" \
        -addext keyUsage=critical,keyCertSign,cRLSign -keyout "$KEEP/ca.key" -out "$KEEP/ca.crt" 2>/dev/null
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=kube-apiserver \
        -keyout "$KEEP/apiserver.key" -out "$KEEP/apiserver.csr" 2>/dev/null
    openssl x509 -req -in "$KEEP/apiserver.csr" -CA "$KEEP/ca.crt" -CAkey "$KEEP/ca.key" -CAcreateserial -days 3650 \
        -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\nkeyUsage=critical,digitalSignature\n' "$names") \
        -out "$KEEP/apiserver.crt" 2>/dev/null
    rm "$KEEP/apiserver.csr"
}

# write_kubeconfig USER: for the user whose third column in tokens.csv this is. The API server has the same port on
# the loopback inside the network namespace and outside it, so one kubeconfig serves both.
write_kubeconfig() {
    local token
    token=$(awk -F, -v user="$1" '$3 == user { print $1 }' "$KEEP/tokens.csv")
    cat >"$KEEP/$1.kubeconfig" <<EOF
apiVersion: v1
kind: Config
clusters:
- name: $ID
  cluster:
    server: https://127.0.0.1:$(cat "$KEEP/port")
    certificate-authority-data: $(base64 -w0 "$KEEP/ca.crt")
users:
- name: $1
  user: {token: $token}
contexts:
- name: $ID
  context: {cluster: $ID, user: $1}
current-context: $ID
EOF
}

# choose_port: the one of last time if it is free, else the next free one.
choose_port() {
    local port
    mkdir -p "$KEEP"
    port=$(cat "$KEEP/port" 2>/dev/null || echo 16443)
    while [ -n "$(ss -Hltn "sport = :$port")" ]; do port=$((port + 1)); done
    echo "$port" >"$KEEP/port"
}
