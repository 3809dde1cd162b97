// The names that operators have as functions. They cannot be written as identifiers, so no library can
// collide with them by accident.

/** The names of operators as functions. */
export const operators = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optIndex: '_[?_]',
  optSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** Binary operators by their sign. */
export const binaryOperators: Readonly<Record<string, string>> = {
  '==': operators.equals,
  '!=': operators.notEquals,
  '<': operators.less,
  '<=': operators.lessEquals,
  '>': operators.greater,
  '>=': operators.greaterEquals,
  in: operators.in,
  '+': operators.add,
  '-': operators.subtract,
  '*': operators.multiply,
  '/': operators.divide,
  '%': operators.modulo,
};
