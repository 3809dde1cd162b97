// --admission-control-config-file: an AdmissionConfiguration with the configurations of plug-ins, in the file
// itself or in files that it names. Which plug-ins have a configuration is for the server to say.
import { dirname, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, parseYaml } from '@instar/machinery';
import { readNamed } from '@instar/serving';
import { FlagError } from './flag-error.ts';

const VERSIONS = ['v1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

/** By the name of the plug-in. */
export async function readAdmissionConfig(file: string): Promise<Readonly<Record<string, JsonValue>>> {
  const faulty = (why: string): FlagError => new FlagError(`--admission-control-config-file ${file}: ${why}`);
  const { value: config } = parseYaml(await readNamed(file));
  if (!isJsonObject(config) || config['kind'] !== 'AdmissionConfiguration')
    throw faulty('it contains no AdmissionConfiguration');
  if (!VERSIONS.includes(String(config['apiVersion'])))
    throw faulty(`its apiVersion must be one of ${VERSIONS.join(', ')}`);
  const plugins = Array.isArray(config['plugins']) ? config['plugins'].filter(isJsonObject) : [];
  const found = new Map<string, JsonValue>();
  for (const plugin of plugins) {
    const name = String(plugin['name'] ?? '');
    if (name === '') throw faulty('a plugin has no name');
    if (found.has(name)) throw faulty(`the plugin ${name} is there twice`);
    const configuration = await configurationOf(plugin, file);
    if (configuration !== undefined) found.set(name, configuration);
  }
  return Object.fromEntries(found);
}

/** A path is relative to the file that has it. */
async function configurationOf(plugin: JsonObject, file: string): Promise<JsonValue | undefined> {
  const { configuration, path = '' } = plugin;
  if (configuration != null) return configuration;
  if (path === '') return undefined;
  return parseYaml(await readNamed(resolve(dirname(file), String(path)))).value;
}
