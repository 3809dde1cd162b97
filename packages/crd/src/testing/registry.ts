// A registry of definitions for tests: what this package decides, around a map. It does immediately what a
// server's controllers do eventually.
import {
  aggregateMessage,
  applyMergePatch,
  deepCopy,
  type FieldError,
  type JsonObject,
  type JsonValue,
  statusCauses,
} from '@instar/machinery';
import { approvalCondition } from '../approval.ts';
import { setCondition } from '../conditions.ts';
import { establishedCondition } from '../establishing.ts';
import { decideNames, hasAllNames } from '../names.ts';
import { prepareCrdForCreate, prepareCrdForStatusUpdate, prepareCrdForUpdate } from '../prepare.ts';
import type { CustomResourceDefinition } from '../types.ts';
import { validateCrdCreate, validateCrdStatusUpdate, validateCrdUpdate } from '../validate/crd.ts';
import { crdWarnings } from '../warnings.ts';
import { decoded } from './decoded.ts';

export interface RegistryAnswer {
  readonly status: number;
  readonly headers: Record<string, string[]>;
  readonly body: object;
}

const NOW = Date.UTC(2024, 0, 1);
const copy = <T extends object>(value: T): T => deepCopy(value as JsonValue) as T;

export class Registry {
  readonly #crds = new Map<string, CustomResourceDefinition>();
  #revision = 1;

  /** Requests for anything but definitions succeed. */
  request(method: string, path: string, body: object | undefined): RegistryAnswer {
    const [name = '', subresource = ''] = /\/customresourcedefinitions(?:\/([^/?]+))?(?:\/([^/?]+))?/
      .exec(path)
      ?.slice(1) ?? ['-'];
    if (method === 'POST') return this.#create(body!);
    const old = this.#crds.get(name);
    if (name === '-') return { status: 200, headers: {}, body: { resources: [{ categories: [] }] } };
    if (old === undefined) return { status: 404, headers: {}, body: {} };
    if (method === 'GET') return { status: 200, headers: {}, body: copy(old) };
    if (method === 'DELETE') return this.#delete(name);
    const changed =
      method === 'PUT' ? body! : applyMergePatch(copy(old) as unknown as JsonObject, body as JsonObject);
    return this.#update(changed, old, subresource);
  }

  #create(body: object): RegistryAnswer {
    const crd = decoded(body);
    if (crd.metadata.generateName && !crd.metadata.name)
      crd.metadata.name = `${crd.metadata.generateName}abcde`;
    delete crd.metadata.namespace;
    prepareCrdForCreate(crd);
    crd.metadata = {
      ...crd.metadata,
      uid: `00000000-0000-0000-0000-${String(this.#revision).padStart(12, '0')}`,
      creationTimestamp: '2024-01-01T00:00:00Z',
    };
    return this.#commit(201, crd, validateCrdCreate(crd), crdWarnings(crd));
  }

  #update(body: object, old: CustomResourceDefinition, subresource: string): RegistryAnswer {
    const crd = decoded(body);
    const { uid, creationTimestamp, resourceVersion } = old.metadata;
    if (crd.metadata.resourceVersion !== resourceVersion || crd.metadata.uid !== uid)
      return { status: 409, headers: {}, body: {} };
    crd.metadata = { ...crd.metadata, creationTimestamp: creationTimestamp! };
    if (subresource === 'status') {
      prepareCrdForStatusUpdate(crd, old);
      return this.#commit(200, crd, validateCrdStatusUpdate(crd, old), []);
    }
    prepareCrdForUpdate(crd, old);
    return this.#commit(200, crd, validateCrdUpdate(crd, old), crdWarnings(crd, old));
  }

  #delete(name: string): RegistryAnswer {
    this.#crds.delete(name);
    this.#settle();
    return { status: 200, headers: {}, body: {} };
  }

  #commit(
    status: number,
    crd: CustomResourceDefinition,
    errors: FieldError[],
    warnings: string[],
  ): RegistryAnswer {
    if (errors.length > 0) {
      return {
        status: 422,
        headers: {},
        body: {
          reason: 'Invalid',
          message: aggregateMessage(errors),
          details: { causes: statusCauses(errors) },
        },
      };
    }
    const stored = copy(crd);
    stored.metadata.resourceVersion = String(++this.#revision);
    this.#crds.set(stored.metadata.name!, stored);
    const answer = copy(stored);
    this.#settle();
    const warning = warnings.map((text) => `299 - ${JSON.stringify(text)}`);
    return { status, headers: warning.length > 0 ? { warning } : {}, body: answer };
  }

  /** Names are given in the order in which definitions asked for them. */
  #settle(): void {
    for (const crd of this.#crds.values()) {
      const decision = hasAllNames(crd) ? undefined : decideNames(crd, this.#crds.values());
      if (decision?.changed) {
        crd.status.acceptedNames = decision.acceptedNames;
        setCondition(crd, decision.namesAccepted, NOW);
        setCondition(crd, decision.established, NOW);
      }
      for (const condition of [establishedCondition(crd), approvalCondition(crd)])
        if (condition !== undefined) setCondition(crd, condition, NOW);
    }
  }
}
