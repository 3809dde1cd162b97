// Which of several classes that are marked as the default one is taken: the newest, then by name.
import { asJson, type JsonObject, type KubeObject } from '@instar/machinery';
import type { Resource } from '../../../objects/resource.ts';

export async function findDefaultClass(
  classes: Resource,
  isDefault: (object: JsonObject) => boolean,
): Promise<string | undefined> {
  await classes.cache.waitUntilStarted();
  const marked: KubeObject[] = [];
  for (const cached of classes.cache.values()) {
    if (!Object.values(cached.metadata.annotations ?? {}).includes('true')) continue;
    const object = cached.parse();
    if (isDefault(asJson(object))) marked.push(object);
  }
  const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  marked.sort(
    (a, b) =>
      createdAt(b).localeCompare(createdAt(a)) ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
  return marked[0]?.metadata.name;
}
