import { KIND_OPTIONS } from "../../console/workspace/activity/kinds.ts";
import { decidingRoles, either, whyNot } from "../../console/workspace/work/gates/gate-words.ts";
import { instantOf, localOf } from "../../console/workspace/work/moments.ts";
import { linesOf, payloadOf, plainText } from "../../console/workspace/work/messages/message-words.ts";
import { sizeWords } from "../../console/workspace/work/documents/document-words.ts";
import { PHASES, stageAfter } from "../../console/workspace/work/missions/phase-words.ts";
import { STAGES } from "../../services/workspace/mdmp/process/phases.ts";
import { SET_ROLE_NAMES, setPermitsOf } from "../../config/set-roles.ts";

describe("words of work in a problem set", () => {
  it("name who decides, by the roles' permits and the gate's own choice", () => {
    const roles = SET_ROLE_NAMES.map((role, at) => ({ role, rank: at + 1, permits: [...setPermitsOf(role)] }));
    expect(decidingRoles({}, roles)).toEqual(["commander", "deputy"]);
    expect(decidingRoles({ approvers: ["deputy", "observer"] }, roles)).toEqual(["deputy"]);
    expect([either([]), either(["a"]), either(["a", "b", "c"])]).toEqual(["nobody", "a", "a, b or c"]);
  });

  it("say why not without the names of permits", () => {
    expect(whyNot("The role observer does not allow gates:decide.")).toBe(
      "Your role here, observer, does not allow it.",
    );
    expect(whyNot("Whoever submitted the gate cannot let it pass themself.")).toMatch(/^Whoever submitted/);
  });

  it("tell texts, flat records and other payloads apart", () => {
    expect(plainText({ payload: { text: "Row" } })).toBe("Row");
    expect(plainText({ payload: { text: "Row", level: 1 } })).toBeUndefined();
    expect(linesOf({ gauge: "Hradek", level: 4.4, at: null })).toEqual([
      ["gauge", "Hradek"],
      ["level", "4.4"],
      ["at", "null"],
    ]);
    expect(linesOf({ where: { latitude: 1 } })).toBeUndefined();
    expect(payloadOf('{"a": 1}')).toEqual({ a: 1 });
    expect(() => payloadOf("{ a")).toThrow(/^This is not JSON/);
    expect(() => payloadOf("[1]")).toThrow("A message is a JSON object, in braces.");
  });

  it("keep an instant through a field for date and time, to the minute", () => {
    expect(instantOf(localOf("2026-11-29T08:30:00.000Z"))).toBe("2026-11-29T08:30:00.000Z");
    expect(localOf(undefined)).toBe("");
  });

  it("go through the steps of planning that the platform goes through", () => {
    expect([...PHASES, "complete"]).toEqual([...STAGES]);
    expect([stageAfter("orders-production"), stageAfter("complete")]).toEqual(["complete", undefined]);
  });

  it("say sizes as people do", () => {
    expect([340, 1_240, 56_000, 3_400_000].map(sizeWords)).toEqual(["340 bytes", "1.2 KB", "56 KB", "3.4 MB"]);
  });

  it("say each kind of activity in words of its own", () => {
    const words = KIND_OPTIONS.map(([, said]) => said);
    expect(new Set(words).size).toBe(words.length);
    expect(words).toEqual(expect.arrayContaining(["Members: role changed", "Picture: layer added"]));
  });
});
