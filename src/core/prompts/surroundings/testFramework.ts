/** A file that shows how a project is tested: a manifest, or a test. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

interface Framework {
  readonly name: string;
  /** VS Code's language IDs, without `react` at the end. */
  readonly languages: readonly string[];
  /** A conclusive sign in a test. */
  readonly inTest: RegExp;
  /** A sign in a manifest. */
  readonly inManifest?: RegExp;
}

const js = ['typescript', 'javascript', 'vue', 'svelte'];
const jvm = ['java', 'kotlin', 'groovy', 'scala'];
const dotnet = ['csharp', 'fsharp', 'vb'];

/**
 * Frameworks that others are used with or built on are first. Anyone could have written the text that the patterns
 * search, so none scans from each position to the end.
 */
const frameworks: readonly Framework[] = [
  { name: 'Vitest', languages: js, inTest: /from ['"]vitest['"]/, inManifest: /"vitest"\s*:|\bvitest\b(?= run|")/ },
  { name: "Bun's test runner", languages: js, inTest: /from ['"]bun:test['"]/, inManifest: /"bun test\b/ },
  { name: 'Playwright Test', languages: js, inTest: /from ['"]@playwright\/test['"]/ },
  { name: 'Cypress', languages: js, inTest: /\bcy\.(?:visit|get)\(/ },
  {
    name: "Node's test runner (node:test)",
    languages: js,
    inTest: /['"]node:test['"]/,
    inManifest: /node (?:[^"\n]{0,200} )?--test\b/,
  },
  {
    name: 'Jest',
    languages: js,
    inTest: /from ['"]@jest\/globals['"]|\bjest\.(?:fn|mock|spyOn)\(/,
    inManifest: /"(?:ts-)?jest"\s*:|"react-scripts"\s*:/,
  },
  { name: 'AVA', languages: js, inTest: /from ['"]ava['"]/, inManifest: /"ava"\s*:/ },
  { name: 'Jasmine', languages: js, inTest: /\bjasmine\./, inManifest: /"jasmine(?:-core)?"\s*:/ },
  { name: 'Mocha', languages: js, inTest: /from ['"]mocha['"]/, inManifest: /"mocha"\s*:/ },
  { name: 'tap', languages: js, inTest: /['"](?:tap|tape)['"]/, inManifest: /"(?:tap|tape)"\s*:/ },
  {
    name: 'pytest',
    languages: ['python'],
    inTest: /^[ \t]*(?:import|from) pytest\b|^(?:async )?def test_/m,
    inManifest: /\bpytest\b/,
  },
  { name: 'unittest', languages: ['python'], inTest: /\bunittest\b|\bTestCase\b/ },
  {
    name: "Go's testing package with testify",
    languages: ['go'],
    inTest: /stretchr\/testify/,
    inManifest: /stretchr\/testify/,
  },
  { name: 'Ginkgo', languages: ['go'], inTest: /onsi\/ginkgo/, inManifest: /onsi\/ginkgo/ },
  {
    name: "Go's testing package",
    languages: ['go'],
    inTest: /^(?:import )?[ \t]*(?:\w+ )?"testing"/m,
    inManifest: /^module /m,
  },
  { name: "Rust's own tests with rstest", languages: ['rust'], inTest: /#\[rstest\b/, inManifest: /^rstest\b/m },
  {
    name: "Rust's own tests (#[test])",
    languages: ['rust'],
    inTest: /#\[(?:tokio::)?test\b/,
    inManifest: /^\[(?:package|workspace)\]/m,
  },
  { name: 'Kotest', languages: jvm, inTest: /io\.kotest/, inManifest: /io\.kotest/ },
  { name: 'Spock', languages: jvm, inTest: /spock\.lang/, inManifest: /org\.spockframework/ },
  { name: 'TestNG', languages: jvm, inTest: /org\.testng/, inManifest: /testng/ },
  { name: 'JUnit 5', languages: jvm, inTest: /org\.junit\.jupiter/, inManifest: /junit-jupiter|useJUnitPlatform/ },
  { name: 'JUnit 4', languages: jvm, inTest: /import org\.junit\./, inManifest: /\bjunit:junit|<artifactId>junit</ },
  { name: 'ScalaTest', languages: jvm, inTest: /org\.scalatest/, inManifest: /scalatest/ },
  { name: 'xUnit', languages: dotnet, inTest: /using Xunit|open Xunit/, inManifest: /"xunit/i },
  { name: 'NUnit', languages: dotnet, inTest: /NUnit\.Framework/, inManifest: /"NUnit/ },
  { name: 'MSTest', languages: dotnet, inTest: /TestTools\.UnitTesting/, inManifest: /MSTest/ },
  { name: 'RSpec', languages: ['ruby'], inTest: /\bRSpec\b|^[ \t]*describe\b.*\bdo$/m, inManifest: /\brspec\b/ },
  { name: 'Minitest', languages: ['ruby'], inTest: /Minitest|minitest/, inManifest: /\bminitest\b/ },
  { name: 'Pest', languages: ['php'], inTest: /^(?:it|test)\(/m, inManifest: /pestphp\/pest/ },
  { name: 'PHPUnit', languages: ['php'], inTest: /PHPUnit\\Framework/, inManifest: /phpunit\/phpunit/ },
  {
    name: 'GoogleTest',
    languages: ['cpp', 'c'],
    inTest: /gtest\/gtest\.h|\bTEST(?:_F)?\(/,
    inManifest: /\bgtest\b|GTest/,
  },
  { name: 'Catch2', languages: ['cpp', 'c'], inTest: /catch2\//, inManifest: /Catch2/ },
  { name: 'XCTest', languages: ['swift'], inTest: /import XCTest/ },
  { name: 'Swift Testing', languages: ['swift'], inTest: /import Testing\b/ },
  { name: 'flutter_test', languages: ['dart'], inTest: /flutter_test/, inManifest: /flutter_test/ },
  { name: "Dart's test package", languages: ['dart'], inTest: /package:test\//, inManifest: /^[ \t]*test:/m },
  { name: 'ExUnit', languages: ['elixir'], inTest: /ExUnit/, inManifest: /use Mix\.Project/ },
];

/** The files of a folder that can show how its project is tested. */
export const manifestNames: readonly string[] = [
  'package.json',
  'pyproject.toml',
  'pytest.ini',
  'tox.ini',
  'setup.cfg',
  'requirements-dev.txt',
  'requirements.txt',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
  'composer.json',
  'Package.swift',
  'pubspec.yaml',
  'mix.exs',
  'CMakeLists.txt',
];

/**
 * The framework of a project's tests, according to its tests, nearest first, or otherwise its manifests, nearest first.
 * In English, for a model. Undefined if unknown.
 * @param language VS Code's language ID of the code to test
 */
export function testFramework(
  language: string,
  tests: readonly ProjectFile[],
  manifests: readonly ProjectFile[],
): string | undefined {
  const own = frameworks.filter(({ languages }) => languages.includes(language.replace(/react$/, '')));
  for (const { text } of tests) {
    const framework = own.find(({ inTest }) => inTest.test(text));
    if (framework !== undefined) return framework.name;
  }
  for (const { text } of manifests) {
    const framework = own.find(({ inManifest }) => inManifest?.test(text) === true);
    if (framework !== undefined) return framework.name;
  }
  return undefined;
}
