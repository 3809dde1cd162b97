// What programs that run a server need. Everything else is internal.
export type { AuditOptions } from './api/audit/options.ts';
export { parseAuditPolicy } from './api/audit/parse-policy.ts';
export type { TokenAuthenticator } from './api/auth/authentication/verdict.ts';
export { authenticatedUser } from './api/auth/users.ts';
export type { WebhookAuthorization } from './api/auth/webhook-authorizer.ts';
export { INSTAR_VERSION, VERSION_INFO } from './api/health/version.ts';
export type { AuthorizationMode, FollowAuthorization, ServerOptions } from './api/options.ts';
export { type RunningServer, startServer } from './server.ts';
export type { UserInfo } from './wire/exchange.ts';
