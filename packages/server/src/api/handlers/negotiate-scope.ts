// Negotiates the representation of a resource's answer.
import { type Negotiated, type NegotiationRules, negotiate } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

export function negotiateScope(
  { request, resource, subresource }: RequestScope,
  rules: NegotiationRules,
): Negotiated {
  const { definition } = resource;
  const hasTable = subresource !== 'status' || definition.names.kind !== 'CustomResourceDefinition';
  const representations = rules.representations.filter((each) => hasTable || each !== 'Table');
  return negotiate(request, hasTable ? rules : { ...rules, representations }, definition.typed);
}
