/**
 * The limits that Kubernetes sets to expressions. They are part of the API: a rule beyond them is refused, or
 * stops.
 */

/** What one evaluation of one rule may cost. */
export const perCallLimit = 1_000_000;
/** What all rules of one object may cost together. */
export const runtimeCostBudget = 10_000_000;
/** What one rule of a CustomResourceDefinition may cost in the worst case, times how often it can occur. */
export const staticRuleCostLimit = 10_000_000;
/** What all rules of a CustomResourceDefinition may cost in the worst case. */
export const staticDefinitionCostLimit = 100_000_000;
/** The largest request; it bounds every size that a schema does not bound. */
export const maxRequestBytes = 3 * 1024 * 1024;
/** The longest text that a messageExpression may give, in bytes. */
export const maxMessageBytes = 5 * 1024;
