import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const menuItem = v.object({
  command: v.optional(v.string()),
  submenu: v.optional(v.string()),
  when: v.optional(v.string()),
  group: v.optional(v.string()),
});
const place = v.object({ id: v.string(), icon: v.string() });
const viewPlace = v.object({ ...place.entries, contextualTitle: v.string() });
const settingProperty = v.object({
  default: v.unknown(),
  scope: v.string(),
  order: v.number(),
  markdownDescription: v.string(),
  type: v.union([v.string(), v.array(v.string())]),
  enum: v.optional(v.array(v.string())),
  enumDescriptions: v.optional(v.array(v.string())),
  markdownEnumDescriptions: v.optional(v.array(v.string())),
  minimum: v.optional(v.number()),
  exclusiveMinimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  tags: v.optional(v.array(v.string())),
});
const walkthrough = v.object({
  icon: v.string(),
  steps: v.array(
    v.object({
      media: v.object({
        image: v.object({ dark: v.string(), light: v.string(), hc: v.string(), hcLight: v.string() }),
        altText: v.string(),
      }),
      completionEvents: v.array(v.string()),
    }),
  ),
});
const manifestSchema = v.object({
  icon: v.string(),
  activationEvents: v.array(v.string()),
  engines: v.object({ vscode: v.string() }),
  devDependencies: v.record(v.string(), v.string()),
  capabilities: v.object({ untrustedWorkspaces: v.object({ restrictedConfigurations: v.array(v.string()) }) }),
  contributes: v.object({
    commands: v.array(v.object({ command: v.string(), title: v.string(), icon: v.optional(v.string()) })),
    keybindings: v.array(
      v.object({
        command: v.string(),
        key: v.string(),
        mac: v.string(),
        when: v.optional(v.string()),
        args: v.optional(v.unknown()),
      }),
    ),
    menus: v.record(v.string(), v.array(menuItem)),
    submenus: v.array(v.object({ id: v.string(), label: v.string() })),
    viewsContainers: v.record(v.string(), v.array(place)),
    views: v.record(v.string(), v.array(viewPlace)),
    viewsWelcome: v.array(v.object({ view: v.string(), when: v.optional(v.string()) })),
    configuration: v.array(
      v.object({ id: v.string(), order: v.number(), properties: v.record(v.string(), settingProperty) }),
    ),
    walkthroughs: v.array(walkthrough),
  }),
});

export const root = new URL('../../../../', import.meta.url);
export const manifestText = readFileSync(new URL('package.json', root), 'utf8');
export const manifest = v.parse(manifestSchema, JSON.parse(manifestText));
export const textsOf = (file: string) =>
  v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync(new URL(file, root), 'utf8')));
/** The English texts. */
export const strings = textsOf('package.nls.json');
export const { contributes } = manifest;
/** All settings, by ID. */
export const properties = Object.fromEntries(
  contributes.configuration.flatMap((part) => Object.entries(part.properties)),
);

export const containerIds = { parlance: 'parlance', service: 'parlance-service' } as const;

/** Our own submenus in VS Code's menus. */
export const submenuIds = { editor: 'parlance.editor', copyRequest: 'parlance.copyRequest' } as const;
