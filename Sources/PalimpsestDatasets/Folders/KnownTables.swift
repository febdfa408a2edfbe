import PalimpsestScenarios

extension KnownDataset {
  /// Tables whose rows stand in order of time, or belong to months or people: logs of something that changes.
  static let logs = [elec2, noaa, bank, bike, shoppers, occupancy, arem, keystroke, diabetes]

  private static let elec2 = KnownDataset(
    name: "elec2", title: "Electricity price up or down, New South Wales, every half hour 1996–1998",
    trainingRows: 36250, testRows: 9062, columns: 6, classes: 2,
    image: nil, label: "class", licence: "released for research; OpenML lists it as public",
    citation: "M. Harries, Splice-2 comparative evaluation: electricity pricing, UNSW, 1999",
    origin: "elec.csv of GitHub scikit-multiflow/streaming-datasets: six features, no date",
    urls: ["https://github.com/scikit-multiflow/streaming-datasets"],
    files: [
      File(
        name: "elec.csv.gz", bytes: 687545,
        sha256: "67a53c45ac6d607360377e81aa3d3fc9db8cd9ed6580d499ab49f10131e9fdcc",
        contentSHA256: "cdf901433885f29eca6911f70c0eeafb50d90596c879c30c5b99f5a2e8e734ff")
    ],
    log: KnownLog(tasks: KnownLog.Tasks(by: "blocks", count: 8)))

  private static let noaa = KnownDataset(
    name: "noaa-weather", title: "Rain or not, Bellevue (Nebraska), daily 1949–1999", trainingRows: 14528,
    testRows: 3631, columns: 8, classes: 2,
    image: nil, label: "target", licence: "US government work, public domain in the US",
    citation: "R. Elwell, R. Polikar, IEEE Trans. Neural Networks 22(10), 2011",
    origin: "weather.csv of GitHub scikit-multiflow/streaming-datasets",
    urls: ["https://github.com/scikit-multiflow/streaming-datasets"],
    files: [
      File(
        name: "weather.csv.gz", bytes: 231817,
        sha256: "fa2d28112f3e973b730f0b5f15a208d1d469001e0ae3b2fc2ef968040805d943",
        contentSHA256: "3c38f05bdc5c4cb115f122414c66976e3662c875d96d7199d9e47fc46aff150e")
    ],
    log: KnownLog(tasks: KnownLog.Tasks(by: "blocks", count: 10)))

  private static let bank = KnownDataset(
    name: "bank-marketing", title: "Calls to customers of a bank, did they subscribe, 2008–2010", trainingRows: 32951,
    testRows: 8237, columns: 20, classes: 2,
    image: nil, label: "y", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 222)",
    citation: "S. Moro, P. Cortez, P. Rita, Decision Support Systems 62, 2014",
    origin: "bank-additional-full.csv of the archive bank-additional.zip",
    urls: ["https://archive.ics.uci.edu/dataset/222/bank+marketing"],
    files: [
      File(
        name: "bank-additional-full.csv.gz", bytes: 353504,
        sha256: "19d160205359e3f748931d09c670c755e4e66be9bf59e2f894f4f274ece9ce00",
        contentSHA256: "74adfc578bf77a7ff4bb1ba4a9f8709d9e3c6907342959c2c8416847e0afb4d8")
    ],
    log: KnownLog(drop: ["duration"], tasks: KnownLog.Tasks(by: "blocks", count: 10)))

  private static let bike = KnownDataset(
    name: "bike-sharing", title: "More than 142 bicycles rented in an hour, Washington, 2011–2012", trainingRows: 13904,
    testRows: 3475, columns: 16, classes: 869,
    image: nil, label: "cnt", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 275)",
    citation: "H. Fanaee-T, J. Gama, Progress in Artificial Intelligence, 2013",
    origin: "hour.csv of Bike-Sharing-Dataset.zip",
    urls: ["https://archive.ics.uci.edu/dataset/275/bike+sharing+dataset"],
    files: [
      File(
        name: "hour.csv.gz", bytes: 252807,
        sha256: "031e8d5b234949601a4e71f2493c5fe56d8c3ea509d7e6f3ebb2c71abdeaf9b6",
        contentSHA256: "7bcde8bc1b096f37606286f2c14c796ff96b05a0ca512d54d7c095a4f8d959d9")
    ],
    log: KnownLog(
      above: 142, drop: ["instant", "dteday", "casual", "registered"], cyclic: ["hr": 24],
      tasks: KnownLog.Tasks(by: "runs", columns: ["yr", "season"], mergeUnder: 300, keep: true)))

  private static let shoppers = KnownDataset(
    name: "online-shoppers", title: "Visits to a web shop, was anything bought, over a year", trainingRows: 9864,
    testRows: 2466, columns: 17, classes: 2,
    image: nil, label: "Revenue", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 468)",
    citation: "C. O. Sakar et al., Neural Computing and Applications 31, 2019",
    origin: "online_shoppers_intention.csv",
    urls: ["https://archive.ics.uci.edu/dataset/468/online+shoppers+purchasing+intention+dataset"],
    files: [
      File(
        name: "online_shoppers_intention.csv.gz", bytes: 233254,
        sha256: "85509fd73526970e857327524bbb8e24711e3fa4e6e6ea7a19451935928bff8b",
        contentSHA256: "1dccbeb029369ceee2a94c6abf4f31952916176593722e895a2716d689eea023")
    ],
    log: KnownLog(tasks: KnownLog.Tasks(by: "column", columns: ["Month"])))

  private static let occupancy = KnownDataset(
    name: "occupancy", title: "Is somebody in the room, an office once a minute, February 2015", trainingRows: 16448,
    testRows: 4112, columns: 6, classes: 2,
    image: nil, label: "Occupancy", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 357)",
    citation: "L. Candanedo, V. Feldheim, Energy and Buildings 112, 2016",
    origin: "the three files of the archive",
    urls: ["https://archive.ics.uci.edu/dataset/357/occupancy+detection"],
    files: [
      File(
        name: "datatest.txt.gz", bytes: 45956,
        sha256: "19fca57c8166c391f9eb8c929f5df46e4e8f887c83ab8bf79992b0acefd67381",
        contentSHA256: "1b92c7c1b2838963464fa891a610cf3c5db4becb7189189b29b330107a584c7f"),
      File(
        name: "datatraining.txt.gz", bytes: 120998,
        sha256: "e93556016e456e42668c537431c25ad64e726122bdb33f0f0473dd80b26ae815",
        contentSHA256: "b2c4d0ce2b9e4e453c476f7125ef31aeec2d1f5c7f5572d0e80de3df6521ab56"),
      File(
        name: "datatest2.txt.gz", bytes: 153782,
        sha256: "f0783e58e9d0d77b4de7ee0dd4d25ed880149268f531c227dc670069879321e1",
        contentSHA256: "d026d1bd5aeccd4aff4f3b3710d48e40613bd5fc370db7e61bbdcaa50d985095"),
    ],
    log: KnownLog(
      rowNumbers: true, files: ["datatest.txt.gz", "datatraining.txt.gz", "datatest2.txt.gz"],
      tasks: KnownLog.Tasks(by: "column", columns: ["date"], every: "day")))

  private static let arem = KnownDataset(
    name: "arem-activity", title: "Seven activities by radio signals between three worn sensors, 4 Hz",
    trainingRows: 33790, testRows: 8447, columns: 8, classes: 7,
    image: nil, label: "activity", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 366)",
    citation: "F. Palumbo et al., J. Ambient Intelligence and Smart Environments 8(2), 2016",
    origin: "the 88 sequences joined into one table with the columns activity, sequence and time_ms before theirs",
    urls: ["https://archive.ics.uci.edu/dataset/366/activity+recognition+system+based+on+multisensor+data+fusion+arem"],
    files: [
      File(
        name: "arem.csv.gz", bytes: 380439,
        sha256: "371fb898e63dd33826206752f18683c747363cad185ed03282ace53d31304e4d",
        contentSHA256: "0bd31cd27ad1db3f974fda7166eefc464bd3b512e42f0d7f612cde48768d31d6")
    ],
    log: KnownLog(
      drop: ["time_ms_mean", "time_ms_sd"], windows: WindowRule(rows: 20, within: ["activity", "sequence"]),
      tasks: KnownLog.Tasks(by: "column", columns: ["sequence"])))

  private static let keystroke = KnownDataset(
    name: "meu-keystroke", title: "Who types: 56 people, one password, 51 times each, on a tablet", trainingRows: 2285,
    testRows: 571, columns: 72, classes: 56,
    image: nil, label: "subject", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 399)",
    citation: "N. Al-Obaidi, M. Al-Jarrah, ICDIPC 2016",
    origin: "the 56 people's files joined into one table with the columns subject and record before theirs",
    urls: ["https://archive.ics.uci.edu/dataset/399/meu+mobile+ksd"],
    files: [
      File(
        name: "meu_keystroke.csv.gz", bytes: 415522,
        sha256: "8116ce13743e02a63c28a0e24c6f583dcfc4f1f5f7f4b059af29746f6eb80bf6",
        contentSHA256: "f914f31f247338cd0487053f0134544c492f4a41ea65986422b9ca36b5a85da5")
    ],
    log: KnownLog(time: "record", tasks: KnownLog.Tasks(by: "column", columns: ["subject"], size: 4)))

  private static let diabetes = KnownDataset(
    name: "diabetes-logs", title: "Next blood glucose above 180 mg/dl or not, from the logs of 70 people",
    trainingRows: 10763, testRows: 2690, columns: 7, classes: 2,
    image: nil, label: "next", licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 34)",
    citation: "M. Kahn, AIM-94 data set, Washington University, St. Louis, 1994",
    origin: "the 70 people's files joined into one table with the column patient before theirs; not for medical use",
    urls: ["https://archive.ics.uci.edu/dataset/34/diabetes"],
    files: [
      File(
        name: "events.tsv.gz", bytes: 124847,
        sha256: "1fed5891260bc57c5d75f64b574afd321cefd39a2e6f87e7dc2ffdf6ad0ba66d",
        contentSHA256: "1c81a233e2e79775bbd0eb39a33462be5d8d199504d851dadc8f3a81d54bff32")
    ],
    log: KnownLog(
      above: 180, owner: "patient", drop: ["time"], cyclic: ["hour": 24], files: ["events.tsv.gz"],
      events: EventRule(
        person: "patient", time: ["date", "time"], form: "month-day-year", code: "code", value: "value",
        readings: ["48", "57", "58", "59", "60", "61", "62", "63", "64"],
        counts: ["insulin": ["33", "34", "35"], "meals": ["66", "67", "68"]]),
      tasks: KnownLog.Tasks(by: "user")))
}
