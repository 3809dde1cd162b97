// The columns that kubectl prints changed.

import { deepEqual, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

const SIZE = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };

export const printerColumns: VersionRule = {
  kind: 'version',
  id: 'printer-columns',
  title: 'The columns that kubectl prints changed',
  severity: 'caution',
  breaks: ['operators'],
  keywords: ['additionalPrinterColumns'],
  explanation:
    'kubectl get prints other columns. Scripts that split its output by position read something else; nothing else depends on the columns.',
  instead: 'Add columns at the end, and read objects as JSON in scripts.',
  examples: [
    {
      title: 'one is removed',
      old: version({ additionalPrinterColumns: [SIZE] }),
      new: version({}),
      severity: 'caution',
    },
    {
      title: 'one is added',
      old: version({}),
      new: version({ additionalPrinterColumns: [SIZE] }),
      severity: 'safe',
    },
    {
      title: 'shows something else',
      old: version({ additionalPrinterColumns: [SIZE] }),
      new: version({ additionalPrinterColumns: [{ ...SIZE, jsonPath: '.spec.length' }] }),
      severity: 'caution',
    },
    {
      title: 'the description changes',
      old: version({ additionalPrinterColumns: [SIZE] }),
      new: version({ additionalPrinterColumns: [{ ...SIZE, description: 'How large.' }] }),
      severity: 'safe',
    },
  ],
  compare: (old, next): Change[] => {
    const [was, is] = [old.additionalPrinterColumns ?? [], next.additionalPrinterColumns ?? []];
    if (deepEqual(was as unknown as JsonValue, is as unknown as JsonValue)) return [];
    const names = (columns: typeof was) => columns.map(({ name }) => name);
    const gone = names(was).filter((name) => !names(is).includes(name));
    const came = names(is).filter((name) => !names(was).includes(name));
    const other = was.filter((column) =>
      is.some(
        ({ name, jsonPath, type }) =>
          name === column.name && (jsonPath !== column.jsonPath || type !== column.type),
      ),
    );
    const changes: Change[] = [];
    if (gone.length > 0)
      changes.push({ severity: 'caution', message: `columns removed: ${gone.join(', ')}` });
    if (other.length > 0)
      changes.push({
        severity: 'caution',
        message: `columns show something else: ${names(other).join(', ')}`,
      });
    if (came.length > 0)
      changes.push({ severity: 'safe', message: `columns added: ${came.join(', ')}`, breaks: [] });
    if (changes.length === 0)
      changes.push({
        severity: 'safe',
        message: 'order, priority or description of columns changed',
        breaks: [],
      });
    return changes;
  },
};

function version(more: object): JsonObject {
  return {
    spec: {
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...more },
      ],
    },
  };
}
