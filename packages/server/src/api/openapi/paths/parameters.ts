// The parameters of requests: those in the path, and the options of each verb in the query.

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
}

const query = (name: string, type: Parameter['type'], description: string): Parameter => ({
  name,
  in: 'query',
  type,
  description,
});

export const PRETTY = query('pretty', 'string', 'True to get the response indented, for people to read.');

export const NAMESPACE: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'The namespace of the objects.',
};

export const nameParameter = (kind: string): Parameter => ({
  name: 'name',
  in: 'path',
  type: 'string',
  description: `name of the ${kind}`,
});

const DRY_RUN = query(
  'dryRun',
  'string',
  'All: the request goes through every step, except that nothing is stored.',
);
const FIELD_MANAGER = query(
  'fieldManager',
  'string',
  'The manager that owns the fields that the request sets. At most 128 printable characters.',
);
const FIELD_VALIDATION = query(
  'fieldValidation',
  'string',
  'What happens to unknown and duplicate fields. Ignore: dropped silently. Warn: dropped with a warning. Strict: the request is refused.',
);

const LIST = [
  query(
    'allowWatchBookmarks',
    'boolean',
    'True if the watch may send BOOKMARK events, which only say which resourceVersion it has reached.',
  ),
  query('continue', 'string', 'Where an earlier list stopped: the value that it had in its metadata.'),
  query('fieldSelector', 'string', 'Conditions on fields that the objects must meet.'),
  query('labelSelector', 'string', 'Conditions on labels that the objects must meet.'),
  query(
    'limit',
    'integer',
    'The maximum number of objects. If there are more, the list has a continue token.',
  ),
  query('resourceVersion', 'string', 'The state that the answer may be based on.'),
  query('resourceVersionMatch', 'string', 'How resourceVersion is applied: Exact or NotOlderThan.'),
  query('sendInitialEvents', 'boolean', 'True to start the watch with the objects that exist.'),
  query('timeoutSeconds', 'integer', 'How long the request may take.'),
  query('watch', 'boolean', 'True to get a stream of changes instead of a list.'),
];

const CHANGE = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];

/** By the action of an operation. */
export const OPTIONS = {
  get: [query('resourceVersion', 'string', 'The state that the answer may be based on.')],
  /** Connections have options of their own, which are not described. */
  connect: [],
  list: LIST,
  deletecollection: LIST,
  post: CHANGE,
  put: CHANGE,
  patch: [
    ...CHANGE,
    query('force', 'boolean', 'True to take over fields from other managers. For apply only.'),
  ],
  delete: [
    DRY_RUN,
    query('gracePeriodSeconds', 'integer', 'How long the object may take to end.'),
    query(
      'ignoreStoreReadErrorWithClusterBreakingPotential',
      'boolean',
      'True to delete an object that can no longer be read.',
    ),
    query('orphanDependents', 'boolean', 'Deprecated: use propagationPolicy.'),
    query(
      'propagationPolicy',
      'string',
      'What happens to the objects that this one owns: Orphan, Background or Foreground.',
    ),
  ],
} as const satisfies Record<string, readonly Parameter[]>;

export type Action = keyof typeof OPTIONS;
