// What others need to verify tokens of this server without asking it: who issues them, and with which keys.
import { apiErrors } from '@instar/machinery';
import type { ApiRequest, ApiResponse, Handler } from '../../../wire/exchange.ts';
import { mediaRanges } from '../../../wire/negotiate.ts';
import { methodNotAllowed, resourceNotFound } from '../../../wire/responses.ts';
import type { RouteTable } from '../../../wire/router.ts';
import type { KeyRing } from './key-ring.ts';
import type { TokenKey } from './keys.ts';

const CONFIGURATION_PATH = '/.well-known/openid-configuration';
const KEYS_PATH = '/openid/v1/jwks';
const MAX_AGE_SECONDS = 3600;

interface IssuerDocuments {
  readonly issuer: string;
  /** Where the keys are, if not at this server. */
  readonly jwksUri: string | undefined;
  /** HOST:PORT of this server, known once it listens. */
  readonly host: () => string;
  readonly keys: () => Promise<KeyRing>;
}

export function issuerRoutes({ issuer, jwksUri, host, keys }: IssuerDocuments): RouteTable {
  // Whoever finds the documents by the issuer's name needs a URL that can lead to them.
  if (!isIssuerUrl(issuer)) return {};
  return {
    ...document(CONFIGURATION_PATH, 'application/json', async () => {
      const algorithms = (await keys()).verifying.map(({ algorithm }) => algorithm);
      return {
        issuer,
        jwks_uri: jwksUri ?? `https://${host()}${KEYS_PATH}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [...new Set(algorithms)].sort(),
      };
    }),
    ...document(KEYS_PATH, 'application/jwk-set+json', async () => ({
      keys: (await keys()).verifying.map(jwkOf),
    })),
  };
}

function isIssuerUrl(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, search, hash } = new URL(issuer);
  return protocol === 'https:' && search === '' && hash === '';
}

function document(path: string, contentType: string, make: () => Promise<object>): RouteTable {
  const below: Handler = async () => {
    throw resourceNotFound();
  };
  const serve: Handler = async (request): Promise<ApiResponse> => {
    if (request.method !== 'GET') throw methodNotAllowed();
    checkAccepted(request, contentType);
    return {
      status: 200,
      headers: { 'content-type': contentType, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` },
      body: Buffer.from(JSON.stringify(await make())),
    };
  };
  return { [path]: serve, [`${path}/`]: serve, [`${path}/*`]: below };
}

function checkAccepted({ headers }: ApiRequest, contentType: string): void {
  const accept = String(headers['accept'] ?? '');
  if (accept === '' || mediaRanges(accept).some((range) => range === '*/*' || range === contentType)) return;
  throw apiErrors.raw({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${contentType}`,
    details: {},
  });
}

function jwkOf({ id, algorithm, key }: TokenKey): object {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y, n, e };
}
