export {
  accumulator,
  type Call,
  type Comprehension,
  type Expr,
  type Ident,
  type ListExpr,
  type Literal,
  type MapEntry,
  type MapExpr,
  type Select,
  type Struct,
  type StructField,
} from './ast.ts';
export { Checked } from './check/checked.ts';
export { check } from './check/checker.ts';
export type { CallReference, CheckedExpression, ExpressionValidator } from './check/expression-validator.ts';
export { qualifiedName } from './check/qualified-name.ts';
export {
  validateDurationLiterals,
  validateHomogeneousLiterals,
  validateRegexLiterals,
  validateTimestampLiterals,
} from './check/validators.ts';
export { childrenOf, visit } from './check/walk.ts';
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
  programOf,
} from './compile.ts';
export {
  addRange,
  type CostEstimate,
  fixed,
  listCreateCost,
  mapCreateCost,
  multiplyRange,
  one,
  type Range,
  regexLengthFactor,
  type SizeEstimate,
  saturate,
  scaleRange,
  selectAndIdentCost,
  stringTraversalFactor,
  structCreateCost,
  unbounded,
  unionRange,
  unknownRange,
  zero,
} from './cost/range.ts';
export { Environment, type EnvironmentOptions, type Identifier } from './environment.ts';
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
export { costExceeded, Interrupted, timeExceeded, work, workAhead } from './meter.ts';
export { operators } from './operators.ts';
export { formatIssue, type Issue, IssueList } from './parse/issue.ts';
export type { Parsed } from './parse/parser.ts';
export { type Location, Source } from './parse/source.ts';
export { standardLibrary } from './stdlib/library.ts';
export { unparse } from './unparse.ts';
export { optionalReader, readerOf } from './values/host-object.ts';
export { readDyn } from './values/host-readers.ts';
export { isCelValue } from './values/is-cel-value.ts';
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
  type HostReader,
  intType,
  isDynType,
  isOptionalType,
  type Kind,
  listOfDyn,
  listType,
  mapOfDyn,
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
  ArrayList,
  CelError,
  CelList,
  CelMap,
  codePoints,
  Double,
  Duration,
  divisionByZero,
  EntryMap,
  equalValues,
  failure,
  HostObject,
  type Int,
  indexOutOfBounds,
  intOf,
  isInt,
  listOf,
  mapOf,
  maxInt,
  maxUint,
  minInt,
  none,
  noSuchKey,
  noSuchOverload,
  Opaque,
  Optional,
  sizeOf,
  some,
  Timestamp,
  typeOf,
  Uint,
  uintOf,
  type Value,
} from './values.ts';
