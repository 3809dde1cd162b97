// New values of an enum.
import { isDeclaredOpen } from '../fields/open-enum.ts';
import type { SchemaRule } from '../rule.ts';
import { enumOf, isSame, show } from '../walk/node-pair.ts';

const OPEN =
  'The shape. More values may be added later; an unknown one is reported in the Accepted condition.';

export const enumValueAdded: SchemaRule = {
  kind: 'schema',
  id: 'enum-value-added',
  title: 'An enum accepts more values',
  severity: 'breaking',
  breaks: ['readers'],
  keywords: ['enum'],
  explanation:
    'Clients and controllers that were built when the list was shorter do not know that they must handle other values. In status that breaks readers; in spec, which the controller of the definition reads, it is a caution. It is an additive change only if the old description of the field said that values may be added and what happens with an unknown one. The check looks for such words; --open-enum names the paths of other open enums, and openEnums in the file of --exceptions does it once for all.',
  instead:
    'Document in the description of every enum, from the start, that values may be added and what an implementation does with one that it does not know.',
  examples: [
    {
      title: 'a closed enum',
      old: field({ enum: ['round'] }),
      new: field({ enum: ['round', 'square'] }),
      severity: 'caution',
    },
    {
      title: 'a closed enum in status, which others read',
      of: 'status',
      old: field({ enum: ['round'] }),
      new: field({ enum: ['round', 'square'] }),
      severity: 'breaking',
    },
    {
      title: 'an enum declared open',
      old: field({ enum: ['round'], description: OPEN }),
      new: field({ enum: ['round', 'square'], description: OPEN }),
      severity: 'safe',
    },
  ],
  compare: (pair) => {
    const [was, is] = [enumOf(pair.old), enumOf(pair.new)];
    const added =
      was === undefined || is === undefined
        ? []
        : is.filter((value) => !was.some((other) => isSame(value, other)));
    if (added.length === 0) return [];
    const key = added.map(show).join(', ');
    const message = `enum also accepts ${key}`;
    const { openEnums } = pair.context;
    const isOpen = isDeclaredOpen(pair.old.description) || openEnums.has(pair.path) || openEnums.has('*');
    if (isOpen)
      return [{ severity: 'safe', message: `${message}; it was declared open for new values`, breaks: [] }];
    // What users write is read by the controller, which comes with the definition. Status is read by others.
    const isRead = /^status(\.|$)/.test(pair.path);
    const whom = isRead
      ? 'readers might not handle it'
      : 'other readers than its own controller might not handle it';
    return [
      {
        severity: isRead ? 'breaking' : 'caution',
        message: `${message}, and was not declared open: ${whom}`,
        key,
      },
    ];
  },
};

function field(more: object): object {
  return { type: 'object', properties: { type: { type: 'string', ...more } } };
}
