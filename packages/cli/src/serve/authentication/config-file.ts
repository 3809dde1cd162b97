// --authentication-config: the file with an AuthenticationConfiguration of apiserver.config.k8s.io, with the
// errors of kube-apiserver.
import { aggregateMessage, isJsonObject, type JsonObject, parseYaml } from '@instar/machinery';
import { FlagError } from '../flag-error.ts';
import type { AuthenticationSettings } from './jwt-settings.ts';
import { type FieldShape, strictFaults } from './strict-fields.ts';
import { validateAuthentication } from './validate-settings.ts';

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

const CLAIM = { claim: 'string', expression: 'string' } as const;
const SHAPE: FieldShape = {
  apiVersion: 'string',
  kind: 'string',
  jwt: [
    {
      issuer: {
        url: 'string',
        discoveryURL: 'string',
        certificateAuthority: 'string',
        audiences: ['string'],
        audienceMatchPolicy: 'string',
        egressSelectorType: 'string',
      },
      claimValidationRules: [
        { claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' },
      ],
      claimMappings: {
        username: { ...CLAIM, prefix: 'string' },
        groups: { ...CLAIM, prefix: 'string' },
        uid: CLAIM,
        extra: [{ key: 'string', valueExpression: 'string' }],
      },
      userValidationRules: [{ expression: 'string', message: 'string' }],
    },
  ],
  anonymous: { enabled: 'boolean', conditions: [{ path: 'string' }] },
};

/** `serviceAccountIssuers`: no issuer of the file may be one of them. Throws a FlagError. */
export function parseAuthenticationConfig(
  text: string,
  file: string,
  serviceAccountIssuers: readonly string[],
): AuthenticationSettings {
  const unusable = (why: string): FlagError =>
    new FlagError(`failed to load authentication configuration from file ${JSON.stringify(file)}: ${why}`);
  const config = parsed(text, unusable);
  if (config['kind'] !== 'AuthenticationConfiguration')
    throw unusable('it contains no AuthenticationConfiguration');
  if (!VERSIONS.includes(String(config['apiVersion'])))
    throw unusable(`its apiVersion must be one of ${VERSIONS.join(', ')}`);
  const strict = strictFaults(config, SHAPE);
  if (strict.length > 0) throw unusable(`strict decoding error: ${strict.join(', ')}`);
  const settings = withoutNulls({ jwt: [], ...config }) as unknown as AuthenticationSettings;
  const faults = validateAuthentication(settings, serviceAccountIssuers);
  if (faults.length > 0)
    throw new FlagError(`invalid authentication configuration: ${aggregateMessage(faults)}`);
  return settings;
}

function parsed(text: string, unusable: (why: string) => FlagError): JsonObject {
  try {
    const { value } = parseYaml(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw unusable((error as Error).message);
  }
  throw unusable('it contains no object');
}

/** A field that is null is one that is not set. */
function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        Array.isArray(value)
          ? value.map((item) => (isJsonObject(item) ? withoutNulls(item) : item))
          : isJsonObject(value)
            ? withoutNulls(value)
            : value,
      ]),
  );
}
