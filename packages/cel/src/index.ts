export type {
  Call,
  Comprehension,
  Expr,
  Ident,
  ListExpr,
  Literal,
  MapEntry,
  MapExpr,
  Select,
  Struct,
  StructField,
} from './ast.ts';
export { Checked } from './check/checked.ts';
export { check } from './check/checker.ts';
export type { CallReference, CheckedExpression, ExpressionValidator } from './check/expression-validator.ts';
export {
  validateDurationLiterals,
  validateHomogeneousLiterals,
  validateRegexLiterals,
  validateTimestampLiterals,
} from './check/validators.ts';
export { visit } from './check/walk.ts';
export type { Activation } from './compile/frame.ts';
export {
  type Budget,
  CompileError,
  compile,
  compileUnchecked,
  type EvaluationResult,
  type Program,
  parse,
  parseAndCheck,
} from './compile.ts';
export {
  type CostEstimate,
  type Range,
  type SizeEstimate,
  unbounded,
} from './cost/range.ts';
export { Environment, type EnvironmentOptions, type TypeFamily } from './environment.ts';
export { blockLibrary } from './ext/block.ts';
export { bindingsLibrary, twoVariableLibrary } from './ext/comprehensions.ts';
export { encodersLibrary } from './ext/encoders.ts';
export { listsLibrary } from './ext/lists.ts';
export { mathLibrary } from './ext/math.ts';
export { optionalLibrary } from './ext/optionals.ts';
export { regexLibrary } from './ext/regex.ts';
export { setsLibrary } from './ext/sets.ts';
export { stringsLibrary } from './ext/strings.ts';
export {
  type CallCost,
  type CallEstimate,
  type CallEstimator,
  type Constant,
  type CostModel,
  type FunctionDeclaration,
  functionOf,
  type Implementation,
  type Library,
  type Macro,
  type MacroContext,
  memberOverload,
  type OperandNode,
  type Overload,
  overload,
  type SizeProvider,
} from './extension.ts';
export { costExceeded, Interrupted } from './meter.ts';
export { operators } from './operators.ts';
export { type Issue, IssueList } from './parse/issue.ts';
export type { Parsed } from './parse/parser.ts';
export { type Location, Source } from './parse/source.ts';
export { toText } from './stdlib/convert.ts';
export { standardLibrary } from './stdlib/library.ts';
export { unparse } from './unparse.ts';
export { HostList } from './values/host-list.ts';
export { HostMap } from './values/host-map.ts';
export {
  anyType,
  boolType,
  bytesType,
  CelType,
  doubleType,
  durationType,
  dynType,
  errorType,
  type FieldDeclaration,
  formatType,
  type HostAccess,
  intType,
  listType,
  mapType,
  nullType,
  type ObjectDeclaration,
  objectType,
  objectTypeOf,
  opaqueType,
  optionalType,
  sameType,
  stringType,
  timestampType,
  typeOfType,
  typeParam,
  typeType,
  uintType,
  wrapperType,
} from './values/types.ts';
export {
  CelError,
  CelList,
  CelMap,
  Double,
  Duration,
  equalValues,
  HostObject,
  type Int,
  intOf,
  listOf,
  mapOf,
  none,
  noSuchOverload,
  Opaque,
  Optional,
  some,
  Timestamp,
  typeOf,
  Uint,
  uintOf,
  type Value,
} from './values.ts';
