// The form of an answer about a resource.
import { type Negotiated, type NegotiationRules, negotiate } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

export function negotiateScope({ request, resource }: RequestScope, rules: NegotiationRules): Negotiated {
  return negotiate(request, rules, resource.definition.typed);
}
