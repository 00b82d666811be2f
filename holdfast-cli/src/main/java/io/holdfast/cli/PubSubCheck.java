// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Listens on a channel as a process does, and sends itself a message. */
final class PubSubCheck {
    private static final String WHY = ": locks work, but waiters poll and get them later";

    private final Patient patient;
    private final String channel;
    private final Set<String> missing = new LinkedHashSet<>();

    PubSubCheck(Patient patient) {
        this.patient = patient;
        String id = patient.name().key();
        this.channel = patient.channelPrefix() + "doctor" + id.substring(id.length() - 6); // 12, as instance ids have
    }

    Finding look() {
        Inbox inbox = new Inbox();
        try (Subscription subscription = patient.connector().subscribe(channel, inbox)) {
            boolean listening = arrives(inbox.subscribed);
            boolean sent = publish();
            if (listening && sent && arrives(inbox.message)) {
                return Finding.ok(
                        "pub/sub", "a message on " + patient.channelPrefix() + "* arrives: releases wake waiters");
            }
            if (missing.isEmpty()) {
                return Finding.warn("pub/sub", "messages do not arrive (a proxy between?)" + WHY, "connect directly");
            }
            return Finding.warn("pub/sub", String.join(" ", missing) + " missing" + WHY, patient.grant(missing));
        }
    }

    private boolean publish() {
        try {
            patient.ask("PUBLISH", channel, "doctor");
            return true;
        } catch (NotAllowed e) {
            missing.add(e.permission());
            return false;
        } catch (RedisReplyException e) {
            return false;
        }
    }

    private boolean arrives(CompletableFuture<?> event) {
        try {
            event.get(patient.connector().commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisReplyException refusal
                    && refusal.code().equals("NOPERM")) {
                missing.add(patient.permission(refusal, "SUBSCRIBE"));
            }
            return false;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        }
    }

    private static final class Inbox implements Subscriber {
        private final CompletableFuture<String> subscribed = new CompletableFuture<>();
        private final CompletableFuture<String> message = new CompletableFuture<>();

        @Override
        public void subscribed() {
            subscribed.complete("");
        }

        @Override
        public void message(String text) {
            message.complete(text);
        }

        @Override
        public void ended(RuntimeException cause) {
            subscribed.completeExceptionally(cause);
            message.completeExceptionally(cause);
        }
    }
}
