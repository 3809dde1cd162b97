// An issuer of JSON Web Tokens and how its claims become a user: jwt[] of an AuthenticationConfiguration. The
// --oidc-* flags become one too.

export interface PrefixedClaimOrExpression {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface JwtSettings {
  readonly issuer: {
    readonly url: string;
    readonly discoveryURL?: string;
    /** In PEM; without it the authorities that Node trusts. */
    readonly certificateAuthority?: string;
    readonly audiences: readonly string[];
    readonly audienceMatchPolicy?: string;
    readonly egressSelectorType?: string;
  };
  readonly claimValidationRules?: readonly ClaimValidationRule[];
  readonly claimMappings: {
    readonly username: PrefixedClaimOrExpression;
    readonly groups?: PrefixedClaimOrExpression;
    readonly uid?: { readonly claim?: string; readonly expression?: string };
    readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression: string; readonly message?: string }[];
}

/** What anonymous requests may be for; no conditions: everything. */
export interface AnonymousSettings {
  readonly enabled: boolean;
  readonly conditions?: readonly { readonly path: string }[];
}

export interface AuthenticationSettings {
  readonly jwt: readonly JwtSettings[];
  readonly anonymous?: AnonymousSettings;
}

/** Of which a token can be signed; symmetric ones and none are never accepted. */
export const SIGNING_ALGORITHMS: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
