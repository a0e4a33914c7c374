package com.gomomento.valkey.operator.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The lines of one watch. The server is asked for more only when all that came has been read, so a flood of events fills the
 * network's buffers and not the heap.
 */
final class WatchStream implements AsyncBody.Consumer<List<ByteBuffer>>, AutoCloseable {

    /** Either bytes, or the end of the stream with the reason of a broken one. */
    private record Piece(ByteBuffer bytes, boolean end, Optional<String> broken) {}

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final CompletableFuture<AsyncBody> body = new CompletableFuture<>();
    private ByteBuffer current = ByteBuffer.allocate(0);
    private boolean ended;

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody asyncBody) {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            received.writeBytes(bytes);
        }
        pieces.add(new Piece(ByteBuffer.wrap(received.toByteArray()), false, Optional.empty()));
    }

    /** Starts the flow, once the answer's head is there. */
    void begin(AsyncBody opened) {
        body.complete(opened);
        var _ = opened.done()
                .whenComplete((_, failure) -> pieces.add(new Piece(
                        ByteBuffer.allocate(0),
                        true,
                        failure == null ? Optional.empty() : Optional.of(failure.toString()))));
        opened.consume();
    }

    /**
     * The next line, without its end.
     *
     * @param deadline in {@link System#nanoTime}; after it the connection is taken for dead
     * @return empty when the server has ended the watch
     * @throws WatchFailure when the connection broke or the deadline passed
     */
    Optional<byte[]> next(long deadline) throws InterruptedException, WatchFailure {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (current.hasRemaining()) {
                byte next = current.get();
                if (next == '\n') {
                    return Optional.of(line.toByteArray());
                }
                line.write(next);
            }
            if (!more(deadline)) {
                return line.size() == 0 ? Optional.empty() : Optional.of(line.toByteArray());
            }
        }
    }

    /** All that is left to read, as far as it comes in time. */
    byte[] rest(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        try {
            for (Optional<byte[]> line = next(deadline); line.isPresent(); line = next(deadline)) {
                rest.writeBytes(line.get());
            }
        } catch (WatchFailure e) {
            // The refusal's code is known; its text is an extra.
            return rest.toByteArray();
        } finally {
            close();
        }
        return rest.toByteArray();
    }

    /** Ends the watch on this side. */
    @Override
    public void close() {
        var _ = body.thenAccept(AsyncBody::cancel);
    }

    private boolean more(long deadline) throws InterruptedException, WatchFailure {
        if (ended) {
            return false;
        }
        Piece piece = pieces.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (piece == null) {
            throw new WatchFailure("the watch outlived its time without an end: connection taken for dead", false);
        }
        if (piece.broken().isPresent()) {
            throw new WatchFailure("the connection broke: " + piece.broken().get(), false);
        }
        ended = piece.end();
        current = piece.bytes();
        if (!ended) {
            body.join().consume();
        }
        return !ended;
    }
}
