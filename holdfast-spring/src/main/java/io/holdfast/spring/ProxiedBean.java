// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.FactoryBean;

/** Whether a bean that is there takes its locks. */
final class ProxiedBean {
    private ProxiedBean() {}

    /** True also where it can't be known. */
    static boolean takesLocks(@Nullable Object bean) {
        if (bean == null || bean instanceof FactoryBean || bean instanceof AopInfrastructureBean) {
            return true; // what a factory makes, or a scope finds, is another object
        }
        if (!(bean instanceof Advised advised)) {
            return bean instanceof SpringProxy;
        }
        if (Arrays.stream(advised.getAdvisors()).anyMatch(LockAdvisor.class::isInstance)) {
            return true;
        }
        TargetSource source = advised.getTargetSource();
        return !(source instanceof SingletonTargetSource single) || takesLocks(single.getTarget());
    }
}
