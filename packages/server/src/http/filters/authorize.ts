// Asks the authorizer whether the user may do this. Who may do what is the authorizer's business alone.
import { attributesOf } from '../../auth/attributes.ts';
import type { Authorizer, Decision } from '../../auth/authorizer.ts';
import { forbidden } from '../../auth/forbidden.ts';
import { ANONYMOUS } from '../../auth/users.ts';
import type { ApiResponse, Filter } from '../exchange.ts';

export function authorizeFilter(authorizer: Authorizer): Filter {
  return (request, next) => {
    // The authenticate filter lets nobody unknown through but to health and version, which are open.
    if (request.user === ANONYMOUS) return next(request);
    const attributes = attributesOf(request);
    const goOn = ({ decision, reason }: Decision): Promise<ApiResponse> => {
      if (decision !== 'allow') throw forbidden(attributes, reason);
      return next(request);
    };
    const decision = authorizer.authorize(attributes);
    return decision instanceof Promise ? decision.then(goOn) : goOn(decision);
  };
}
