// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Fenced writes to a table with a {@code BIGINT} fence column: {@code UPDATE … SET …, fence = ? WHERE id = ? AND fence <= ?}.
 * The comparison is {@code <=} because the holder's own second write carries the same token; tokens are unique per grant, so
 * equality lets nobody else in.
 *
 * <pre>{@code
 * boolean accepted = FencedSql.update(
 *         connection, "orders", "id", 42, Map.of("status", "PAID"), lease.fencingToken());
 * }</pre>
 */
public final class FencedSql {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    private FencedSql() {}

    /**
     * Updates one row unless a higher token has written it before. Takes part in the connection's transaction.
     *
     * @param table table with a column {@code fence}; names are checked, values are bound
     * @param changes column to new value
     * @return false when the row does not exist or a newer holder has written it: roll back
     */
    public static boolean update(
            Connection connection, String table, String idColumn, Object id, Map<String, ?> changes, long fencingToken)
            throws SQLException {
        String columns = changes.keySet().stream()
                .map(column -> identifier(column) + " = ?, ")
                .collect(Collectors.joining());
        String sql = "UPDATE " + identifier(table) + " SET " + columns + "fence = ? WHERE " + identifier(idColumn)
                + " = ? AND fence <= ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            int parameter = 1;
            for (Object value : changes.values()) {
                update.setObject(parameter++, value);
            }
            update.setLong(parameter++, fencingToken);
            update.setObject(parameter++, id);
            update.setLong(parameter, fencingToken);
            return update.executeUpdate() > 0;
        }
    }

    private static String identifier(String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw new IllegalArgumentException("not a table or column name: " + name);
        }
        return name;
    }
}
