// Suites of Go modules that go/go.mod and go/capi/go.mod pin: compiled as ordinary dependencies, and run in
// a copy of their module, since the module cache is read-only and its files have lost their executable bits.
// The programs that they start are those of `instar envtest path`. Nothing else about them is changed, but
// for a module that starts its server by itself: there, files of overlays/ take the place of those that do.
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const COMPILE_MS = 40 * 60_000;
const PACKAGE_MS = 20 * 60_000;

/** What go/go.mod asks for. */
const MIN_GO = [1, 26];

export class GoSuite {
  #context;
  #module;
  #folder;
  #binaries;
  #pins;
  #overlay;
  #environment;
  #moduleFlags = [];

  /** `pins` is the folder of the go.mod, `overlay` that of the files that are replaced. */
  constructor(context, module, { pins = 'go', overlay } = {}) {
    this.#context = context;
    this.#module = module;
    this.#folder = join(context.folder, 'module');
    this.#binaries = join(context.folder, 'bin');
    this.#pins = join(context.root, 'test/outside', pins);
    this.#overlay = overlay && join(context.root, 'test/outside/overlays', overlay);
  }

  /** Compiles the tests of these packages, and copies the module. */
  async prepare(packages, copied = packages) {
    await this.#checkVersion();
    const command = join(this.#context.root, 'packages/cli/bundle/main.js');
    const assets = await this.#output('node', [
      ...[command, 'envtest', 'path', '--dir', join(this.#context.folder, 'assets')],
    ]);
    const temporary = join(this.#context.folder, 'tmp');
    await mkdir(temporary);
    this.#environment = {
      KUBEBUILDER_ASSETS: assets.trim(),
      INSTAR_COMMAND: command,
      // The default of 20 s is for machines that do nothing else.
      KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '90s',
      TMPDIR: temporary,
    };
    if (this.#overlay !== undefined) await this.#replaceModule();
    for (const path of packages) {
      await this.#compile(path);
      await mkdir(join(this.#folder, path), { recursive: true });
    }
    const source = (await this.#go('list', '-m', '-f', '{{.Dir}}', this.#module)).trim();
    for (const path of copied) await this.#copy(join(source, path), join(this.#folder, path));
  }

  /** Starts the kube-apiserver of the assets with a flag that envtest does not know. */
  async passToServer(flag) {
    const file = join(this.#environment.KUBEBUILDER_ASSETS, 'kube-apiserver');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"$@"', `${flag} "$@"`));
  }

  /** The specs of a package that is written with Ginkgo. */
  async ginkgo(path, flags = [], timeoutMs = PACKAGE_MS) {
    const report = join(this.#context.folder, `${path.replaceAll('/', '-')}.json`);
    const { stdout, stderr } = await this.#start(
      path,
      [`-ginkgo.json-report=${report}`, ...flags],
      timeoutMs,
    );
    const text = await readFile(report, 'utf8').catch(() => undefined);
    if (text === undefined) return [{ name: path, status: 'failed', message: lastOf(stdout + stderr) }];
    return unique(JSON.parse(text).flatMap((suite) => specsIn(path, suite)));
  }

  /** The tests of a package that is written with the testing package of Go. */
  async tests(path, flags = [], environment = {}) {
    const specs = new Map();
    const output = new Map();
    const onLine = (line) => {
      const { Action: action, Test: test, Output: text } = JSON.parse(line);
      if (test === undefined) return;
      if (action === 'output') output.set(test, (output.get(test) ?? '') + text);
      const status = { pass: 'passed', fail: 'failed', skip: 'skipped' }[action];
      if (status !== undefined) specs.set(test, status);
    };
    const binary = this.binaryOf(path);
    const { stdout, stderr } = await this.#context.run(
      'go',
      ['tool', 'test2json', '-t', binary, '-test.v=test2json', ...flags],
      {
        cwd: join(this.#folder, path),
        env: { ...this.#environment, ...environment },
        timeoutMs: PACKAGE_MS,
        onLine,
      },
    );
    if (specs.size === 0) return [{ name: path, status: 'failed', message: lastOf(stdout + stderr) }];
    return [...specs].map(([test, status]) => ({
      name: `${path}: ${test}`,
      status,
      ...(status === 'failed' && { message: lastOf(output.get(test) ?? '') }),
    }));
  }

  /** Compiles a program of the module, and returns its file. */
  async build(path) {
    const file = join(this.#binaries, basename(path));
    await this.#go('build', '-ldflags=-s -w', '-o', file, `${this.#module}/${path}`);
    return file;
  }

  /** What the tests are compiled to. */
  binaryOf(path) {
    const directory = path.replaceAll('/', '-');
    return join(this.#binaries, directory, path === '.' ? 'outside.test' : `${basename(path)}.test`);
  }

  async #checkVersion() {
    const [, major, minor] = /^go(\d+)\.(\d+)/.exec((await this.#go('env', 'GOVERSION')).trim()) ?? [];
    if (Number(major) !== MIN_GO[0] || Number(minor) < MIN_GO[1])
      throw new Error(`Go ${MIN_GO.join('.')} is needed, and this is ${major}.${minor}`);
  }

  /** Files of the module cache cannot be overlaid: a copy of the module takes its place. */
  async #replaceModule() {
    const source = (await this.#go('list', '-m', '-f', '{{.Dir}}', this.#module)).trim();
    const replaced = join(this.#context.folder, 'replaced');
    await this.#copy(source, replaced);
    await cp(this.#overlay, replaced, { recursive: true });
    const pins = join(this.#context.folder, 'replaced.mod');
    await cp(join(this.#pins, 'go.mod'), pins);
    await cp(join(this.#pins, 'go.sum'), join(this.#context.folder, 'replaced.sum'));
    await this.#go('mod', 'edit', '-replace', `${this.#module}=${replaced}`, pins);
    this.#moduleFlags = ['-mod=mod', '-modfile', pins];
  }

  async #compile(path) {
    await mkdir(dirname(this.binaryOf(path)), { recursive: true });
    const name = path === '.' ? this.#module : `${this.#module}/${path}`;
    // Without symbols: they are most of a large binary, and no test reads them.
    const flags = ['-vet=off', '-ldflags=-s -w', ...this.#moduleFlags];
    return this.#go('test', ...flags, '-c', '-o', this.binaryOf(path), name);
  }

  async #start(path, flags, timeoutMs) {
    return this.#context.run(this.binaryOf(path), ['-ginkgo.no-color', ...flags], {
      cwd: join(this.#folder, path),
      env: this.#environment,
      timeoutMs,
    });
  }

  #go(...args) {
    return this.#output('go', args, {
      cwd: this.#pins,
      env: { GOFLAGS: '-buildvcs=false', GOWORK: 'off' },
      timeoutMs: COMPILE_MS,
    });
  }

  async #output(program, args, options) {
    const { code, stdout, stderr } = await this.#context.run(program, args, options);
    if (code !== 0) throw new Error(`${basename(program)} ${args.join(' ')} ended with ${code}:\n${stderr}`);
    return stdout;
  }

  async #copy(from, to) {
    await cp(from, to, { recursive: true });
    for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
      const isScript = entry.isDirectory() || entry.name.endsWith('.sh');
      await chmod(join(entry.parentPath ?? entry.path, entry.name), isScript ? 0o755 : 0o644);
    }
    await chmod(to, 0o755);
  }
}

const STATES = { passed: 'passed', skipped: 'skipped', pending: undefined };

/**
 * Specs that their authors have marked as pending are no result. What runs around specs is one only if it
 * failed.
 */
function specsIn(path, { SpecReports: reports }) {
  return reports
    .filter(({ LeafNodeType: type, State: state }) => type === 'It' || !(state in STATES))
    .map(
      ({ ContainerHierarchyTexts: containers, LeafNodeText: text, LeafNodeType: type, State, Failure }) => ({
        name: `${path}: ${[...(containers ?? []), text || type].join(' ')}`,
        status: State in STATES ? STATES[State] : 'failed',
        ...(Failure && { message: lastOf(Failure.Message ?? '') }),
      }),
    )
    .filter(({ status }) => status !== undefined);
}

/** Some suites have several specs of one name. */
function unique(specs) {
  const seen = new Map();
  return specs.map((spec) => {
    const count = (seen.get(spec.name) ?? 0) + 1;
    seen.set(spec.name, count);
    return count === 1 ? spec : { ...spec, name: `${spec.name} (${count})` };
  });
}

const MAX_MESSAGE_CHARACTERS = 600;
const lastOf = (text) => text.trim().slice(-MAX_MESSAGE_CHARACTERS);
