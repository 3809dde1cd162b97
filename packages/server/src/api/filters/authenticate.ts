// Finds the user of a request. Health and version are open. Everything else needs a user, who may be
// anonymous if the server allows that.
import { apiErrors } from '@instar/machinery';
import type { Filter } from '../../wire/exchange.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { ANONYMOUS } from '../auth/users.ts';

const OPEN_PATHS = /^\/(?:(?:healthz|livez|readyz)(?:\/.*)?|version\/?)$/;

export function authenticateFilter(authenticator: Authenticator, anonymousAllowed: boolean): Filter {
  return (request, next) => {
    const user = authenticator.authenticate(request);
    if (user === 'invalid') throw apiErrors.unauthorized();
    if (user === undefined && !anonymousAllowed && !OPEN_PATHS.test(request.path))
      throw apiErrors.unauthorized();
    request.user = user ?? ANONYMOUS;
    return next(request);
  };
}
