// Which resources are encrypted how. The configuration can be replaced while stores are in use.
import type { Store } from '../store.ts';
import { aesCbc, aesGcm, secretbox } from './ciphers.ts';
import type { EncryptionConfig, EncryptionProvider } from './config.ts';
import { EncryptedStore } from './encrypted-store.ts';
import { KmsProvider } from './kms/kms-provider.ts';
import { IDENTITY, type Prefixed, PrefixedTransformers, type Transformer } from './transformer.ts';

const CIPHERS = { aesgcm: aesGcm, aescbc: aesCbc, secretbox };
const UNMATCHED_KEY = {
  aesgcm: 'no matching key was found for the provided AES transformer',
  aescbc: 'no matching key was found for the provided AES transformer',
  secretbox: 'no matching key was found for the provided Secretbox transformer',
};

interface Active {
  readonly transformers: ReadonlyMap<string, Transformer>;
  readonly services: readonly KmsProvider[];
}

/** Gives each resource a store that encrypts, as the configuration says. */
export class Encryption {
  /** Whether monitoring should ask for `check`: a key management service is used, or may be later. */
  readonly isChecked: boolean;
  #active: Active;

  private constructor(active: Active, mayBeReplaced: boolean) {
    this.#active = active;
    this.isChecked = mayBeReplaced || active.services.length > 0;
  }

  /** Key management services have been asked once when it resolves, whether or not they answered. */
  static async open(config: EncryptionConfig, mayBeReplaced = false): Promise<Encryption> {
    return new Encryption(await activate(config), mayBeReplaced);
  }

  /** For the values of one resource. */
  storeFor(store: Store, group: string, resource: string): Store {
    let known: Active | undefined;
    let transformer = IDENTITY;
    return new EncryptedStore(store, () => {
      if (known !== this.#active) {
        known = this.#active;
        transformer = transformerOf(known.transformers, group, resource);
      }
      return transformer;
    });
  }

  /** The new one is in effect when it resolves. If it rejects, the old one stays. */
  async replace(config: EncryptionConfig): Promise<void> {
    const before = this.#active;
    this.#active = await activate(config);
    for (const service of before.services) service.retire();
  }

  /** Rejects with what keeps key management services from working. */
  async check(): Promise<void> {
    await Promise.all(
      this.#active.services.map((service, index) =>
        service.check().catch((error: Error) => {
          throw new Error(`kms-provider-${index}: ${error.message}`);
        }),
      ),
    );
  }

  close(): void {
    for (const service of this.#active.services) service.close();
  }
}

const idOf = (group: string, resource: string): string => `${resource}.${group}`;

function transformerOf(all: ReadonlyMap<string, Transformer>, group: string, resource: string): Transformer {
  return all.get(idOf(group, resource)) ?? all.get(idOf(group, '*')) ?? all.get(idOf('*', '*')) ?? IDENTITY;
}

async function activate(config: EncryptionConfig): Promise<Active> {
  const prefixed = new Map<string, Prefixed[]>();
  const services: KmsProvider[] = [];
  for (const { resources, providers } of config) {
    const made = providers.map((provider) => prefixedOf(provider, services));
    for (const { group, resource } of resources) {
      const id = idOf(group, resource);
      prefixed.set(id, [...(prefixed.get(id) ?? []), ...made]);
    }
  }
  await Promise.all(services.map((service) => service.start()));
  const transformers = new Map(
    [...prefixed].map(([id, all]) => [id, new PrefixedTransformers(all, 'no matching prefix found')]),
  );
  return { transformers, services };
}

function prefixedOf(provider: EncryptionProvider, services: KmsProvider[]): Prefixed {
  if (provider.type === 'identity') return { prefix: '', transformer: IDENTITY };
  if (provider.type === 'kms') {
    const service = new KmsProvider(provider.kms);
    services.push(service);
    return { prefix: `k8s:enc:kms:v2:${provider.kms.name}:`, transformer: service };
  }
  const { type, keys } = provider;
  const byName = keys.map(({ name, secret }) => ({
    prefix: `${name}:`,
    transformer: CIPHERS[type](secret),
  }));
  const transformer = new PrefixedTransformers(byName, UNMATCHED_KEY[type]);
  return { prefix: `k8s:enc:${type}:v1:`, transformer };
}
