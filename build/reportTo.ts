import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Metafile, Plugin, PluginBuild } from 'esbuild';

/**
 * Writes what went into each file: a test, the notices of licenses, and the benchmark read it. Builds that have the
 * same plugin share the file.
 */
export function reportTo(file: string): Plugin {
  const metafiles = new Map<PluginBuild, Metafile>();
  return {
    name: 'report',
    setup(build) {
      build.onEnd(({ metafile }) => {
        if (metafile) metafiles.set(build, metafile);
        const whole: Metafile = { inputs: {}, outputs: {} };
        for (const { inputs, outputs } of metafiles.values()) {
          Object.assign(whole.inputs, inputs);
          Object.assign(whole.outputs, outputs);
        }
        // At once, because two builds can end together.
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(whole));
      });
    },
  };
}
