/**
 * The limits of expressions in Kubernetes. They are part of the API: a rule beyond them is refused or
 * aborted.
 */

/** The maximum cost of one evaluation of one rule. */
export const perCallLimit = 1_000_000;
/** The maximum cost of all rules of one object together. */
export const runtimeCostBudget = 10_000_000;
/** The maximum estimated cost of one rule of a CustomResourceDefinition, times how often it can occur. */
export const staticRuleCostLimit = 10_000_000;
/** The maximum estimated cost of all rules of a CustomResourceDefinition. */
export const staticDefinitionCostLimit = 100_000_000;
/** The maximum size of a request; it bounds every size that a schema does not bound. */
export const maxRequestBytes = 3 * 1024 * 1024;
/** The maximum length of the result of a messageExpression, in bytes. */
export const maxMessageBytes = 5 * 1024;
