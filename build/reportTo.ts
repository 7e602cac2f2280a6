import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Metafile, Plugin, PluginBuild } from 'esbuild';

/**
 * Writes what each file consists of, for a test, the license notices, and the benchmark. Builds with the same plugin
 * instance share the report.
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
        // Written synchronously, because two builds can end together.
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(whole));
      });
    },
  };
}
