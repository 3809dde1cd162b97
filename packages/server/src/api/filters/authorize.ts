// Asks the authorizer whether the user may do this. Who may do what is the authorizer's business alone.

import type { ApiRequest, ApiResponse, Filter, Handler } from '../../wire/exchange.ts';
import { attributesOf } from '../auth/attributes.ts';
import { ALWAYS_ALLOW, type Attributes, type Authorizer, type Decision } from '../auth/authorizer.ts';
import { forbidden } from '../auth/forbidden.ts';
import { ANONYMOUS } from '../auth/users.ts';

export function authorizeFilter(authorizer: Authorizer): Filter {
  if (authorizer === ALWAYS_ALLOW) return (request, next) => next(request);
  return (request, next) => {
    // The authenticate filter lets nobody unknown through but to health and version, which are open.
    if (request.user === ANONYMOUS) return next(request);
    const attributes = attributesOf(request);
    const decision = authorizer.authorize(attributes);
    if (decision instanceof Promise) return decision.then((late) => goOn(late, attributes, request, next));
    return goOn(decision, attributes, request, next);
  };
}

function goOn(
  { decision, reason }: Decision,
  attributes: Attributes,
  request: ApiRequest,
  next: Handler,
): Promise<ApiResponse> {
  if (decision !== 'allow') throw forbidden(attributes, reason);
  return next(request);
}
