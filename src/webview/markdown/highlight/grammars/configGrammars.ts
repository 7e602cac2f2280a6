/** Configuration and data languages. */
export { default as cmake } from '@shikijs/langs/cmake';
export { default as diff } from '@shikijs/langs/diff';
export { default as docker } from '@shikijs/langs/docker';
export { default as hcl } from '@shikijs/langs/hcl';
export { default as ini } from '@shikijs/langs/ini';
export { default as json } from '@shikijs/langs/json';
export { default as jsonc } from '@shikijs/langs/jsonc';
export { default as jsonl } from '@shikijs/langs/jsonl';
export { default as lua } from '@shikijs/langs/lua';
export { default as make } from '@shikijs/langs/make';
export { default as nginx } from '@shikijs/langs/nginx';
export { default as proto } from '@shikijs/langs/proto';
export { default as regexp } from '@shikijs/langs/regexp';
export { default as toml } from '@shikijs/langs/toml';
export { default as xml } from '@shikijs/langs/xml';
export { default as yaml } from '@shikijs/langs/yaml';
