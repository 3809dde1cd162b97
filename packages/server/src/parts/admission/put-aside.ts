// What a lens puts aside while an object goes through the versions that webhooks ask for: they do not see it,
// and the object that comes back has lost nothing to versions that could not hold all of it.
import { STASH_ANNOTATION, takeStash } from '@instar/lens';
import type { KubeObject } from '@instar/machinery';

export class PutAside {
  /** By the apiVersion of the object that it was taken from, which is the last one in that version. */
  readonly #texts = new Map<string, string>();

  take(converted: KubeObject): KubeObject {
    const text = converted.metadata.annotations?.[STASH_ANNOTATION];
    if (text === undefined) this.#texts.delete(converted.apiVersion);
    else this.#texts.set(converted.apiVersion, text);
    return takeStash(converted).object;
  }

  giveBack(object: KubeObject): KubeObject {
    const text = this.#texts.get(object.apiVersion);
    const { object: bare } = takeStash(object);
    if (text === undefined) return bare;
    return {
      ...bare,
      metadata: { ...bare.metadata, annotations: { ...bare.metadata.annotations, [STASH_ANNOTATION]: text } },
    };
  }
}
