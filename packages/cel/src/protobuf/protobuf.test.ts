// What the conformance data does not cover: that messages are read in place, and the interface for hosts.
import {
  type TestAllTypes,
  TestAllTypesSchema,
} from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { anyPack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CelError,
  compile,
  dynType,
  Environment,
  formatType,
  optionalLibrary,
  standardLibrary,
  type Value,
} from '../index.ts';
import { type EnumValue, type MessageValue, protobuf } from './index.ts';

const messages = protobuf(getTestRegistry());
const name = TestAllTypesSchema.typeName;
const environment = new Environment({
  libraries: [standardLibrary, optionalLibrary(), messages.library],
  container: 'cel.expr.conformance.proto3',
  variables: { msg: messages.type(name)!, any: dynType },
});

const messageOf = (init: MessageInitShape<typeof TestAllTypesSchema>): TestAllTypes =>
  create(TestAllTypesSchema, init);
const evaluated = (text: string, msg?: TestAllTypes): Value =>
  compile(text, environment).evaluate({ msg }).value;
const made = (text: string): TestAllTypes => (evaluated(text) as MessageValue).raw as TestAllTypes;

describe('reading', () => {
  it('reads the message itself each time', () => {
    const msg = messageOf({ singleInt64: 1n, repeatedInt64: [1n, 2n], mapStringInt64: { a: 7n } });
    const program = compile('msg.single_int64 + msg.repeated_int64[1] + msg.map_string_int64.a', environment);
    expect(program.evaluate({ msg }).value).toBe(10);
    msg.singleInt64 = 9_007_199_254_740_993n;
    msg.repeatedInt64[1] = 0n;
    expect(program.evaluate({ msg }).value).toBe(9_007_199_254_741_000n);
  });

  it('returns messages within messages without copying', () => {
    const standaloneMessage = create(TestAllTypesSchema.field['standaloneMessage']!.message!, {
      bb: 5,
    } as never);
    const msg = messageOf({ standaloneMessage: standaloneMessage as never });
    expect((evaluated('msg.standalone_message', msg) as MessageValue).raw).toBe(standaloneMessage);
  });

  it('unpacks Any', () => {
    const day = anyPack(DurationSchema, create(DurationSchema, { seconds: 86_400n }));
    expect(evaluated("msg.single_any == duration('24h')", messageOf({ singleAny: day }))).toBe(true);
  });

  it('fails to unpack an Any of an unknown type', () => {
    const unknown = messageOf({
      singleAny: { typeUrl: 'type.googleapis.com/no.Such', value: new Uint8Array() },
    });
    expect(evaluated('msg.single_any', unknown)).toEqual(
      new CelError("unknown type: 'type.googleapis.com/no.Such'"),
    );
  });

  it('reads a message in a variable without a type through valueOf', () => {
    const run = (message: Parameters<typeof messages.valueOf>[0]): Value =>
      compile(
        'type(any) == google.protobuf.Timestamp ? any.getFullYear() : any.single_int32',
        environment,
      ).evaluate({
        any: messages.valueOf(message),
      }).value;
    expect(run(create(TimestampSchema, { seconds: 0n }))).toBe(1970);
    expect(run(messageOf({ singleInt32: 3 }))).toBe(3);
  });

  it('does not confuse keys such as __proto__ with inherited properties', () => {
    const msg = messageOf({ mapStringInt64: { plain: 1n }, singleStruct: { plain: 1 } });
    expect(
      evaluated("'constructor' in msg.map_string_int64 || 'constructor' in msg.single_struct", msg),
    ).toBe(false);
    const hostile = made("TestAllTypes{single_struct: {'__proto__': 1.0}}").singleStruct!;
    expect(Object.keys(hostile)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype);
  });
});

describe('making', () => {
  it('sets only the fields that are neither null nor none', () => {
    const msg = made(
      "TestAllTypes{single_int32: 1, ?single_string: optional.none(), single_int64_wrapper: null, single_duration: duration('1.5s')}",
    );
    expect(msg).toEqual(messageOf({ singleInt32: 1, singleDuration: { seconds: 1n, nanos: 500_000_000 } }));
  });

  it('keeps one field of a oneof', () => {
    expect(made('TestAllTypes{single_nested_enum: TestAllTypes.NestedEnum.BAR}').nestedType).toEqual({
      case: 'singleNestedEnum',
      value: 1,
    });
  });

  it('refuses what a field cannot hold', () => {
    for (const field of [
      'single_int32: 2147483648',
      'single_uint32: 4294967296u',
      'standalone_enum: -2147483649',
    ]) {
      expect(evaluated(`TestAllTypes{${field}}`)).toBeInstanceOf(CelError);
    }
    expect(() => compile('TestAllTypes{single_int32: "1"}', environment)).toThrow(
      "expected type of field 'single_int32' is 'int' but provided type is 'string'",
    );
    expect(() => compile('TestAllTypes{nothing: 1}', environment)).toThrow("undefined field 'nothing'");
    expect(evaluated('TestAllTypes{repeated_nested_message: [null]}')).toBeInstanceOf(CelError);
  });

  it('writes what it reads', () => {
    const scalars = fc.record({
      singleInt32: fc.maxSafeInteger().map((n) => n | 0),
      singleInt64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      singleUint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      singleDouble: fc.double({ noNaN: true }),
      singleString: fc.string(),
      singleBytes: fc.uint8Array(),
      repeatedInt64: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      mapStringString: fc.dictionary(fc.string(), fc.string()),
      singleInt64Wrapper: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), {
        nil: undefined as never,
      }),
    });
    const fields = 'int32 int64 uint64 double string bytes'.split(' ').map((each) => `single_${each}`);
    const all = [...fields, 'repeated_int64', 'map_string_string', 'single_int64_wrapper'];
    const copy = compile(
      `TestAllTypes{${all.map((field) => `${field}: msg.${field}`).join(', ')}} == msg`,
      environment,
    );
    fc.assert(fc.property(scalars, (init) => copy.evaluate({ msg: messageOf(init) }).value === true));
  });
});

describe('types', () => {
  const types: Record<string, string> = {
    msg: name,
    'msg.single_int64_wrapper': 'wrapper(int)',
    'msg.single_any': 'any',
    'msg.single_value': 'dyn',
    'msg.single_struct': 'map(string, dyn)',
    'msg.list_value': 'list(dyn)',
    'msg.single_timestamp': 'timestamp',
    'msg.standalone_enum': 'int',
    'msg.map_int32_enum': 'map(int, int)',
    'google.protobuf.UInt32Value{}': 'wrapper(uint)',
  };
  for (const [text, type] of Object.entries(types)) {
    it(`of ${text} is ${type}`, () => expect(formatType(compile(text, environment).type)).toBe(type));
  }
});

describe('strong enums', () => {
  const strong = protobuf(getTestRegistry(), { enums: 'strong' });
  const within = environment.extend({ libraries: [strong.library], variables: { msg: strong.type(name)! } });
  const run = (text: string): Value =>
    compile(text, within).evaluate({ msg: messageOf({ standaloneEnum: 2 }) }).value;

  it('are values of their own type', () => {
    expect((run('msg.standalone_enum') as EnumValue).number).toBe(2);
    expect(
      run("msg.standalone_enum == TestAllTypes.NestedEnum('BAZ') && int(msg.standalone_enum) == 2"),
    ).toBe(true);
    expect(() => run('msg.standalone_enum == 2')).toThrow('found no matching overload');
    expect(run("TestAllTypes.NestedEnum('NOT')")).toBeInstanceOf(CelError);
  });
});
