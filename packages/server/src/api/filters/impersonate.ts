// Impersonation: the request continues as another user, if its own user may be that user.
import type { Filter } from '../../wire/exchange.ts';
import { attributesOf } from '../auth/attributes.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { impersonatedUser } from '../auth/impersonation/modes.ts';
import { wantedUserOf } from '../auth/impersonation/wanted-user.ts';

export function impersonateFilter(authorizer: Authorizer): Filter {
  return (request, next) => {
    const wanted = wantedUserOf(request.headers);
    if (wanted === undefined) return next(request);
    return impersonatedUser(wanted, attributesOf(request), authorizer).then((user) => {
      request.user = user;
      return next(request);
    });
  };
}
