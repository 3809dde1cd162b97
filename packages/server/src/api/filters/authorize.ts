// Asks the authorizer whether the user may make the request.

import { quoteGo } from '@instar/go';
import type { ApiRequest, ApiResponse, Filter, Handler } from '../../wire/exchange.ts';
import { errorText } from '../../wire/responses.ts';
import { attributesOf } from '../auth/attributes.ts';
import { ALWAYS_ALLOW, type Attributes, type Authorizer, type Decision } from '../auth/authorizer.ts';
import { notAuthorized, withoutHtml } from '../auth/forbidden.ts';
import { ANONYMOUS } from '../auth/users.ts';

export function authorizeFilter(authorizer: Authorizer, anonymousAllowed: boolean): Filter {
  if (authorizer === ALWAYS_ALLOW)
    return (request, next) => {
      record(request, 'allow', '');
      return next(request);
    };
  return (request, next) => {
    // Then the authenticate filter lets anonymous requests through only to what is open.
    if (!anonymousAllowed && request.user === ANONYMOUS) return next(request);
    const attributes = attributesOf(request);
    const decision = authorizer.authorize(attributes);
    if (decision instanceof Promise) return decision.then((late) => proceed(late, attributes, request, next));
    return proceed(decision, attributes, request, next);
  };
}

function proceed(
  { decision, reason, error }: Decision,
  attributes: Attributes,
  request: ApiRequest,
  next: Handler,
): Promise<ApiResponse> {
  if (decision === 'allow') {
    record(request, 'allow', reason);
    return next(request);
  }
  if (error !== undefined) {
    request.audit?.annotate(REASON, 'internal error');
    return Promise.resolve(cannotDecide(request, error));
  }
  record(request, 'forbid', reason);
  throw notAuthorized(attributes, reason);
}

const REASON = 'authorization.k8s.io/reason';

/** For the audit event of the request. */
function record({ audit }: ApiRequest, decision: 'allow' | 'forbid', reason: string): void {
  audit?.annotate('authorization.k8s.io/decision', decision);
  audit?.annotate(REASON, reason);
}

/** Text, as upstream's. */
const cannotDecide = ({ path }: ApiRequest, error: string): ApiResponse => ({
  ...errorText(500, withoutHtml(`Internal Server Error: ${quoteGo(path)}: ${error}`)),
  failure: error,
});
