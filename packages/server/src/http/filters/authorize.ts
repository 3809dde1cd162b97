// Asks the authorizer whether the user may do this. Who may do what is the authorizer's business alone.
import { attributesOf } from '../../auth/attributes.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import { forbidden } from '../../auth/forbidden.ts';
import { ANONYMOUS } from '../../auth/users.ts';
import type { Filter } from '../exchange.ts';

export function authorizeFilter(authorizer: Authorizer): Filter {
  return async (request, next) => {
    // The authenticate filter lets nobody unknown through but to health and version, which are open.
    if (request.user === ANONYMOUS) return next(request);
    const attributes = attributesOf(request);
    const answer = authorizer.authorize(attributes);
    const decision = answer instanceof Promise ? await answer : answer;
    if (decision.decision !== 'allow') throw forbidden(attributes, decision.reason);
    return next(request);
  };
}
