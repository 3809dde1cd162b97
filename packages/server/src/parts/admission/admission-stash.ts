// Holds the stash of a lens while an object is converted to the versions that webhooks want: they do not get
// it, and the object loses nothing to versions that cannot hold all of it.
import { STASH_ANNOTATION, takeStash } from '@instar/lens';
import type { KubeObject } from '@instar/machinery';

export class AdmissionStash {
  /** By the apiVersion of the object that the stash was taken from: the last one in that version. */
  readonly #texts = new Map<string, string>();

  take(converted: KubeObject): KubeObject {
    const text = converted.metadata.annotations?.[STASH_ANNOTATION];
    if (text === undefined) this.#texts.delete(converted.apiVersion);
    else this.#texts.set(converted.apiVersion, text);
    return takeStash(converted).object;
  }

  restore(object: KubeObject): KubeObject {
    const text = this.#texts.get(object.apiVersion);
    const { object: bare } = takeStash(object);
    if (text === undefined) return bare;
    return {
      ...bare,
      metadata: { ...bare.metadata, annotations: { ...bare.metadata.annotations, [STASH_ANNOTATION]: text } },
    };
  }
}
