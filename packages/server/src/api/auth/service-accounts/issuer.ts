// Signs the tokens of service accounts.
import type { TokenClaims, TokenIssuer } from '../../../kinds/builtin/service-account-token.ts';
import type { KeyRing } from './key-ring.ts';

interface IssuerSettings {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly maxExpirationSeconds: number;
  readonly extendsExpiration: boolean;
  readonly keys: () => Promise<KeyRing>;
}

export function createTokenIssuer({ issuer, keys, ...rest }: IssuerSettings): TokenIssuer {
  return {
    ...rest,
    async sign({ aud, exp, iat, ...claims }: TokenClaims): Promise<string> {
      const [{ CompactSign }, { signing }] = await Promise.all([import('./jws.ts'), keys()]);
      const payload = JSON.stringify({ aud, exp, iat, iss: issuer, ...claims });
      return new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: signing.algorithm, kid: signing.id })
        .sign(signing.privateKey);
    },
  };
}
