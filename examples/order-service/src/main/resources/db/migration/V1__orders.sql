-- fence: the fencing token of the lock under which the row was last written; a write with a lower one is refused.
CREATE TABLE orders (
    id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sn           VARCHAR(36)  NOT NULL UNIQUE,
    user_id      BIGINT       NOT NULL,
    status       VARCHAR(16)  NOT NULL,
    content      VARCHAR(2000) NOT NULL,
    amount_cents BIGINT       NOT NULL,
    fence        BIGINT       NOT NULL,
    created_at   TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE INDEX orders_by_user ON orders (user_id, created_at);

CREATE TABLE order_items (
    order_id BIGINT      NOT NULL REFERENCES orders (id),
    sku      VARCHAR(64) NOT NULL,
    quantity INT         NOT NULL,
    PRIMARY KEY (order_id, sku)
);

-- A late creation has no row of its own to be compared with, so the user has one.
CREATE TABLE user_fences (
    user_id BIGINT PRIMARY KEY,
    fence   BIGINT NOT NULL
);
