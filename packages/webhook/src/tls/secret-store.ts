// A keyring in a Secret of type kubernetes.io/tls, shared by all replicas. ca.crt and ca.key hold one PEM
// block for each CA, newest first.
import { ApiError, type KubeObject } from '@instar/machinery';
import type { CertificateApi } from '../options.ts';
import { caBundleOf, type Keyring } from './keyring.ts';
import type { KeyringStore, StoredKeyring } from './keyring-store.ts';

interface Secret extends KubeObject {
  data?: Record<string, string>;
}

export function secretStore(
  client: CertificateApi,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): KeyringStore {
  const secrets = { group: '', version: 'v1', resource: 'secrets', namespace };
  return {
    async read() {
      const secret = await client.get<Secret>({ ...secrets, name }).catch(unless(404));
      return secret === undefined ? undefined : storedIn(secret);
    },
    async write(keyring, before) {
      const data = dataOf(keyring);
      if (before === undefined) {
        const secret = {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name, namespace },
          type: 'kubernetes.io/tls',
          data,
        };
        return (await client.create(secrets, secret).catch(unless(409))) !== undefined;
      }
      const patch = { metadata: { resourceVersion: before.version }, data };
      return (
        (await client.patch({ ...secrets, name }, patch, { type: 'merge' }).catch(unless(409))) !== undefined
      );
    },
  };
}

/** Undefined for an ApiError with that code; throws others. */
const unless =
  (code: number) =>
  (error: unknown): undefined => {
    if (!(error instanceof ApiError) || error.code !== code) throw error;
  };

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString('utf8');

const dataOf = (keyring: Keyring): Record<string, string> => ({
  'tls.crt': encoded(keyring.serving.certificate),
  'tls.key': encoded(keyring.serving.key),
  'ca.crt': encoded(caBundleOf(keyring)),
  'ca.key': encoded(keyring.cas.map(({ key }) => key).join('')),
});

const PEM_BLOCK = /-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n?/g;

/** Throws if the Secret holds something else, which must not be overwritten. */
function storedIn({ metadata, data = {} }: Secret): StoredKeyring {
  const certificates = decoded(data['ca.crt']).match(PEM_BLOCK) ?? [];
  const keys = decoded(data['ca.key']).match(PEM_BLOCK) ?? [];
  const serving = { certificate: decoded(data['tls.crt']), key: decoded(data['tls.key']) };
  if (
    certificates.length === 0 ||
    certificates.length !== keys.length ||
    serving.certificate === '' ||
    serving.key === ''
  ) {
    throw new Error(
      `the Secret ${metadata.namespace}/${metadata.name} contains no certificates of the webhook kit; remove it to have new ones made`,
    );
  }
  const cas = certificates.map((certificate, index) => ({ certificate, key: keys[index]! }));
  return { keyring: { cas, serving }, version: metadata.resourceVersion ?? '' };
}
