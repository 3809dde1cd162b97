// Upstream's own examples of every kind (k8s.io/api/testdata): the same object in JSON and in protobuf. Each
// kind that the tables of packages/kinds have must give the same JSON from both, and the same protobuf.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MODULE = 'k8s.io/api@v0.36.4';
const FILE = /^(?<group>.+)\.(?<version>v\d\w*)\.(?<kind>\w+)\.json$/;

export default {
  name: 'kinds-testdata',
  needs: ['go'],
  async run(context) {
    const folder = join(await downloadedModule(context), 'testdata/HEAD');
    const compare = await comparison(context.root);
    return readdirSync(folder).flatMap((file) => {
      const { group, version, kind } = FILE.exec(file)?.groups ?? {};
      if (kind === undefined) return [];
      const json = readFileSync(join(folder, file));
      const protobuf = readFileSync(join(folder, file.replace(/json$/, 'pb')));
      const result = compare(`${group.split('.')[0]}/${version}.${kind}`, json, protobuf);
      return result === undefined ? [] : [{ name: `${group} ${version} ${kind}`, ...result }];
    });
  },
};

async function downloadedModule(context) {
  const { code, stdout, stderr } = await context.run('go', ['mod', 'download', '-json', MODULE]);
  if (code !== 0) throw new Error(`go mod download ${MODULE}: ${stdout}${stderr}`);
  return JSON.parse(stdout).Dir;
}

async function comparison(root) {
  const load = (path) => import(join(root, 'packages', path));
  const { goStruct } = await load('kinds/dist/index.js');
  const { encodeJson, parseJson } = await load('machinery/dist/index.js');
  const { typedDecoder } = await load('server/dist/kinds/typed/decode.js');
  const { registerListed } = await load('server/dist/kinds/typed/meta-types.js');
  const { decodeProtobuf } = await load('server/dist/wire/protobuf/decode.js');
  const { encodeProtobuf } = await load('server/dist/wire/protobuf/encode.js');
  const sortedJson = (value) => encodeJson(sorted(value));

  /** Undefined for a kind that no table has. */
  return (reference, json, protobuf) => {
    const type = structOf(goStruct, reference);
    if (type === undefined) return undefined;
    const expected = parseJson(json).value;
    registerListed(expected.apiVersion, expected.kind, type);
    const decode = (value) => {
      const { object, error, unknownFields } = typedDecoder(type)(value);
      if (error !== undefined) throw new Error(error);
      if (unknownFields.length > 0) throw new Error(`unknown fields: ${unknownFields.join(', ')}`);
      return object;
    };
    try {
      const fromJson = decode(expected);
      if (sortedJson(fromJson) !== sortedJson(expected)) return failed('JSON changes when it is decoded');
      if (!protobuf.equals(encodeProtobuf(fromJson))) return failed('other bytes of protobuf');
      return sortedJson(decode(decodeProtobuf(protobuf))) === sortedJson(expected)
        ? { status: 'passed' }
        : failed('other JSON from protobuf');
    } catch (error) {
      return failed(error.message);
    }
  };
}

const failed = (message) => ({ status: 'failed', message });

function structOf(goStruct, reference) {
  try {
    return goStruct(reference);
  } catch {
    return undefined;
  }
}

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};
