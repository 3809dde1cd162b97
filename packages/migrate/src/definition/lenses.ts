// Whether an Instar server converts the objects of a definition by a lens: then field names differ between
// versions although the definition's strategy is None. Other servers have no lenses.
import { apiErrorOf, type KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { crdName } from './definition.ts';

/** The name of the lens; undefined if there is none. */
export async function readServerLens(
  api: KubeApi,
  crd: CustomResourceDefinition,
): Promise<string | undefined> {
  const path = '/apis/instar.dev/v1alpha1/lenses';
  const { status, body } = await api.request({
    method: 'GET',
    path,
    headers: { accept: 'application/json' },
  });
  // A server that cannot answer now may have a lens all the same.
  if (status === 429 || status >= 500) throw apiErrorOf(status, body, `GET ${path}`);
  if (status !== 200) return undefined;
  const { items } = JSON.parse(Buffer.from(body).toString()) as {
    items: { metadata: { name: string }; spec?: { crd?: string } }[];
  };
  return items.find(({ spec }) => spec?.crd === crdName(crd))?.metadata.name;
}

/**
 * True if objects are converted by changing apiVersion alone, so that field names are the same in all
 * versions.
 */
export async function sharesFieldNames(api: KubeApi, crd: CustomResourceDefinition): Promise<boolean> {
  return (
    (crd.spec.conversion?.strategy ?? 'None') === 'None' && (await readServerLens(api, crd)) === undefined
  );
}
