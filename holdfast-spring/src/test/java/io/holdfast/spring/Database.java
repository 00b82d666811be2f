// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** A real database with transactions, each of which tells the rig. */
@EnableTransactionManagement
class Database {

    @Bean
    DataSource dataSource() {
        return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Bean
    JdbcTemplate table(DataSource source) {
        JdbcTemplate jdbc = new JdbcTemplate(source);
        jdbc.execute("create table payment (id varchar)");
        return jdbc;
    }

    @Bean
    PlatformTransactionManager transactions(DataSource source, Rig rig) {
        return new TellingManager(source, rig);
    }

    /** Not a listener: those hear of a commit only after everything that follows it. */
    private static final class TellingManager extends DataSourceTransactionManager {
        private final transient Rig rig;

        TellingManager(DataSource source, Rig rig) {
            super(source);
            this.rig = rig;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            super.doBegin(transaction, definition);
            rig.events.add("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            super.doCommit(status);
            rig.events.add("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            super.doRollback(status);
            rig.events.add("rollback");
        }
    }
}
