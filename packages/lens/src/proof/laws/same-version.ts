// A conversion to the version that an object already has changes nothing. No server asks for it, so refusing
// is fine.
import { broken, HELD, type Law } from '../law.ts';

export const sameVersion: Law = {
  name: 'same-version',
  title: 'converting to the version that an object has changes nothing',
  async check({ objects, settings: { conversion, comparer, from } }) {
    const same = await conversion.run(objects, from.apiVersion);
    if ('failure' in same)
      return {
        checked: 0,
        notApplicable: `it refuses to convert an object to its own version: ${same.failure}`,
      };
    for (const [index, object] of objects.entries()) {
      const differences = comparer.allDifferences(object, same.objects[index] ?? null);
      if (differences.length > 0)
        return broken({
          index,
          message: `converting from ${from.name} to ${from.name} changes the object`,
          differences,
        });
    }
    return HELD(objects.length);
  },
};
