// Finds the user of a request. Health and version are open. Everything else needs a user, who may be
// anonymous if the server allows that.
import { apiErrors } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { ApiRequest, ApiResponse, Filter, Handler } from '../../wire/exchange.ts';
import { refusalText, type Verdict } from '../auth/authentication/verdict.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { ANONYMOUS } from '../auth/users.ts';

const OPEN_PATHS = /^\/(?:(?:healthz|livez|readyz)(?:\/.*)?|version\/?)$/;

export function authenticateFilter(
  authenticator: Authenticator,
  anonymous: boolean | { readonly paths: readonly string[] },
  log: Pick<Log, 'debug'>,
): Filter {
  const mayBeAnonymous =
    typeof anonymous === 'boolean'
      ? (path: string) => anonymous || OPEN_PATHS.test(path)
      : (path: string) => anonymous.paths.includes(path);
  const proceed = (verdict: Verdict, request: ApiRequest, next: Handler): Promise<ApiResponse> => {
    if (verdict !== undefined && 'refused' in verdict) {
      log.debug({ path: request.path, reason: refusalText(verdict) }, 'a credential was refused');
      throw apiErrors.unauthorized();
    }
    if (verdict === undefined && !mayBeAnonymous(request.path)) throw apiErrors.unauthorized();
    request.user = verdict?.user ?? ANONYMOUS;
    for (const [key, value] of Object.entries(verdict?.annotations ?? {}))
      request.audit?.annotate(key, value);
    if (verdict?.warnings !== undefined) request.warnings.push(...verdict.warnings);
    return next(request);
  };
  return (request, next) => {
    const answer = authenticator.authenticate(request);
    return answer instanceof Promise
      ? answer.then((verdict) => proceed(verdict, request, next))
      : proceed(answer, request, next);
  };
}
