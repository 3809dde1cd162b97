// Impersonation: the request continues as another user, if its own user may be that user.
import type { Filter } from '../../wire/exchange.ts';
import { attributesOf } from '../auth/attributes.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { Impersonation } from '../auth/impersonation/modes.ts';
import { wantedUserOf } from '../auth/impersonation/wanted-user.ts';

export function impersonateFilter(authorizer: Authorizer): Filter {
  const impersonation = new Impersonation(authorizer);
  return (request, next) => {
    const wanted = wantedUserOf(request.headers);
    if (wanted === undefined) return next(request);
    return impersonation.impersonate(wanted, attributesOf(request)).then(({ user, constraint }) => {
      request.audit?.impersonated(user, constraint);
      request.user = user;
      return next(request);
    });
  };
}
