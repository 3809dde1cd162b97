// How lists merge, and whether their items must be unique. Without a list type, a list is atomic.
import type { Change, SchemaRule } from '../rule.ts';

export const listType: SchemaRule = {
  kind: 'schema',
  id: 'list-type',
  title: 'The type of a list changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects', 'appliers'],
  keywords: ['x-kubernetes-list-type'],
  explanation:
    'A list that becomes a set or a map must no longer have duplicates: objects with duplicates are refused. Server-side apply merges sets and maps by item and replaces atomic lists as a whole, so a field manager that applies part of a list keeps or removes the items of other managers. Setting atomic explicitly changes nothing, as it is the default.',
  instead:
    'Choose set or map when the list is introduced. Later, do it in a new version, after making sure that no stored list has duplicates.',
  examples: [
    {
      title: 'a plain list becomes a set',
      old: list({}),
      new: list({ 'x-kubernetes-list-type': 'set' }),
      severity: 'breaking',
    },
    {
      title: 'a set becomes a plain list',
      old: list({ 'x-kubernetes-list-type': 'set' }),
      new: list({}),
      severity: 'caution',
    },
    {
      title: 'the default becomes explicit',
      old: list({}),
      new: list({ 'x-kubernetes-list-type': 'atomic' }),
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old['x-kubernetes-list-type'], next['x-kubernetes-list-type']];
    return was === is ? [] : [change(was ?? 'atomic', is ?? 'atomic')];
  },
};

function change(was: string, is: string): Change {
  if (was === is)
    return {
      severity: 'safe',
      message: 'list type is now explicitly atomic, which is the default',
      breaks: [],
    };
  const message = `list type changed from ${was} to ${is}`;
  if (is === 'atomic')
    return {
      severity: 'caution',
      message: `${message}: server-side apply replaces the list as a whole`,
      breaks: ['appliers'],
    };
  return {
    severity: 'breaking',
    message: `${message}: lists with duplicates are refused, and apply merges by item`,
  };
}

function list(more: object): object {
  return { type: 'object', properties: { names: { type: 'array', items: { type: 'string' }, ...more } } };
}
