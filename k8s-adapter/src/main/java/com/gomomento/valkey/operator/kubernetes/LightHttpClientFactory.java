package com.gomomento.valkey.operator.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.util.concurrent.Executors;

/** The JDK's HTTP client, its callbacks on virtual threads: fabric8's own pool would keep a platform thread for each call. */
final class LightHttpClientFactory extends JdkHttpClientFactory {

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return HttpClient.newBuilder()
                .executor(Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("kubernetes-http-", 0).factory()));
    }
}
