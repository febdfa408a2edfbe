import Foundation
import HDF5
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import Testing

@Suite struct CubeSelectionTests {
  /// Two strategies with two trials each on two tuning seeds; the second trial of "si" diverged once.
  static let selection = """
    {"criterion": "average_accuracy", "direction": "higher", "seeds": [8, 9], "tasks": 2, "cells": [
      {"scenario": "hidden", "strategy": "ewc", "kind": "expected", "held_out": null, "chosen": 0,
       "does_not_help": ["ewc"], "trials": [
         {"values": {"ewc_strength": 0, "ewc_fisherLabels": "exact"}, "scores": [0.5, 0.75], "runs": ["a", "b"]},
         {"values": {"ewc_strength": 10, "ewc_fisherLabels": "sampled"}, "scores": [0.5, 0.5], "runs": ["c", "d"]}]},
      {"scenario": "hidden", "strategy": "si", "kind": "sampled", "held_out": 0.25, "chosen": 0,
       "does_not_help": [], "trials": [
         {"values": {"si_strength": 1}, "scores": [0.25, 0.5], "runs": ["e", "f"]},
         {"values": {"si_strength": 3}, "scores": [0.5, null], "runs": ["g", "h"]}]}]}
    """

  /// A cube whose plan has a selection.
  func cube() throws -> HDF5Group {
    let sweep = try CubeSweep()
    try sweep.journal([("naive", 7, RunRecord.completed([[0.9, 0.5], [0.6, 0.8]]))])
    var plan = try sweep.folder.plan()
    plan.selection = try JSONReader.read(Self.selection, file: "selection").value()
    let results = try Results(plan: plan, journal: sweep.folder.journal())
    return try HDF5File.open(bytes: Cube.image(of: results, history: [], origin: .ada).bytes).root
  }

  @Test func `every trial is a row with its values, scores and whether it was chosen`() throws {
    let group = try cube().group("selection")
    #expect(try group.attributes.string("criterion") == "average_accuracy")
    #expect(try group.attributes.string("direction") == "higher")
    #expect(try group.dataset("tuning_seed").read(as: Int64.self) == [8, 9])
    #expect(try group.dataset("strategy").strings() == ["ewc", "ewc", "si", "si"])
    #expect(try group.dataset("chosen").read(as: Int8.self) == [1, 0, 1, 0])
    #expect(try group.dataset("does_not_help").read(as: Int8.self) == [1, 0, 0, 0])
    let score = try group.dataset("score").read(as: Double.self)
    #expect(score[0] == 0.625 && score[1] == 0.5 && score[2] == 0.375 && score[3].isNaN)
    #expect(try group.dataset("seed_score").shape() == [4, 2])
    #expect(try group.dataset("seed_score").dimensionNames() == ["trial", "tuning_seed"])
    #expect(try group.dataset("run_id").strings() == ["a", "b", "c", "d", "e", "f", "g", "h"])
  }

  @Test func `a hyper-parameter of the trials is a column, of numbers where it is one`() throws {
    let group = try cube().group("selection")
    let ewc = try group.dataset("ewc_strength").read(as: Double.self)
    #expect(ewc[0] == 0 && ewc[1] == 10 && ewc[2].isNaN && ewc[3].isNaN)
    #expect(try group.dataset("ewc_fisherLabels").strings() == ["exact", "sampled", "", ""])
    #expect(
      try group.dataset("values").strings()[3] == #"{"si_strength":3}"#)
    let held = try group.dataset("held_out").read(as: Double.self)
    #expect(held[0].isNaN && held[2] == 0.25)
  }

  @Test func `a cube of an experiment that selects nothing has no such group`() throws {
    let sweep = try CubeSweep()
    #expect(try !sweep.cube().groupNames().contains("selection"))
  }
}
