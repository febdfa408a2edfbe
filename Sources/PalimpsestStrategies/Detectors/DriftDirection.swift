import PalimpsestCore

/// Which changes of a mean raise an alarm: the same choice for every detector that can tell them apart.
public enum DriftDirection: String, ParameterChoice {
  case both, up, down
}
